import { LRUCache } from 'lru-cache'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Token } from '../../core/viewer.ts'
import type { Id } from '../../core/id.ts'

const recordTokenUses = query('auth/oauth/record_token_uses', { tokens: c.ids, ips: c.inets }, {})

const RECORD_EVERY_MS = 24 * 60 * 60 * 1000
/** After a restart many people return together: their uses share a transaction. */
const COLLECT_MS = 500
const MAX_TOKENS = 500
const MAX_REMEMBERED = 50_000

/** Records uses of tokens, each at most once in 24 hours, together with those of other tokens. */
export interface TokenUses {
  /**
   * Remembers that the database has a use of the token.
   * @param unusedMs the time since then; null when it has none
   */
  noteRecorded(token: Id, unusedMs: number | null): void
  /** Records the use, unless one of the last 24 hours is recorded. */
  touch(token: Token, address: string): void
  /** Records what is waiting. */
  close(): Promise<void>
}

export function createTokenUses(database: Database, onError: (error: unknown) => void): TokenUses {
  const recordedMs = new LRUCache<Id, number>({ max: MAX_REMEMBERED })
  let waiting = new Map<Id, string>()
  let timer: NodeJS.Timeout | undefined

  async function record(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const uses = waiting
    waiting = new Map()
    await database.run(recordTokenUses, { tokens: [...uses.keys()], ips: [...uses.values()] }).catch(onError)
  }

  return {
    noteRecorded(token, unusedMs) {
      if (unusedMs !== null && !recordedMs.has(token)) recordedMs.set(token, performance.now() - unusedMs)
    },
    touch({ id }, address) {
      const now = performance.now()
      if (now - (recordedMs.get(id) ?? Number.NEGATIVE_INFINITY) < RECORD_EVERY_MS) return
      recordedMs.set(id, now)
      waiting.set(id, address)
      if (waiting.size >= MAX_TOKENS) void record()
      else timer ??= setTimeout(() => void record(), COLLECT_MS).unref()
    },
    close: record,
  }
}
