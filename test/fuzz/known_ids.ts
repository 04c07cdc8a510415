import type { NamedPool } from './named_pools.ts'

/** Where the parent of an id in a path does not say what it is, or says it in another word. */
const POOLS = new Map(
  Object.entries({
    in_reply_to_id: 'statuses',
    quoted_status_id: 'statuses',
    list_id: 'lists',
    last_read_id: 'statuses',
    max_id: 'statuses',
    since_id: 'statuses',
    min_id: 'statuses',
    media_proxy: 'media',
    group_key: 'groups',
    users: 'accounts',
    target_account_id: 'accounts',
    emojis: 'custom_emojis',
  }),
)

/** The first letters are enough to tell kinds apart, so that singular and plural mean the same. */
const PREFIX = 5

const poolName = (word: string): string => (POOLS.get(word) ?? word.replace(/_ids?$|_id\[\]$/, '')).slice(0, PREFIX)

/** How many ids of a kind are remembered: the latest. */
const KEPT = 200

/**
 * The ids that the server has told, by kind: a request refers to one by a number. Beside them,
 * values of which the world knows what can be done with them, by the name of that.
 */
export class KnownIds {
  readonly #pools = new Map<string, string[]>()
  readonly #named = new Map<NamedPool, string[]>()

  /** Puts by a value under a name. */
  put(name: NamedPool, value: string): void {
    this.#named.set(name, [...(this.#named.get(name) ?? []), value])
  }

  /** Takes the values under a name by turns: what is done with one may be possible only once. */
  take(name: NamedPool): string {
    const pool = this.#named.get(name) ?? []
    const value = pool.shift()
    if (value === undefined) return '1'
    pool.push(value)
    return value
  }

  add(kind: string, id: string): void {
    const name = poolName(kind)
    const pool = this.#pools.get(name) ?? []
    if (!pool.includes(id)) pool.push(id)
    if (pool.length > KEPT) pool.shift()
    this.#pools.set(name, pool)
  }

  /** An id for a parameter; of any kind when nothing is known of its own. */
  get(hint: string, number: number): string {
    const pool = this.#pools.get(poolName(hint)) ?? [...this.#pools.values()].flat()
    return pool[number % Math.max(pool.length, 1)] ?? '1'
  }

  /** Remembers the ids in a response: its own, and those of the entities in it by their names. */
  learn(path: string, value: unknown, depth = 0): void {
    if (depth > 4 || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 3)) this.learn(path, one, depth + 1)
      return
    }
    for (const [name, member] of Object.entries(value)) {
      if (name === 'id' && typeof member === 'string') this.add(path, member)
      else if (name.endsWith('_id') && typeof member === 'string') this.add(name, member)
      else if (name === 'group_key' && typeof member === 'string') this.add('groups', member)
      else this.learn(Array.isArray(member) || /^\d+$/.test(name) ? name : (WORDS.get(name) ?? name), member, depth + 1)
    }
  }
}

/** Members whose name is not that of a kind. */
const WORDS = new Map(
  Object.entries({
    reblog: 'statuses',
    quoted_status: 'statuses',
    last_status: 'statuses',
    ancestors: 'statuses',
    descendants: 'statuses',
    media_attachments: 'media',
    mentions: 'accounts',
    target_account: 'accounts',
  }),
)
