import type { Id } from '../../core/id.ts'

/** Who is to hear of what an account posts, or of what has a tag: found without going through all. */
export interface FollowerIndex<T> {
  add(one: T, accounts: Iterable<Id>, tags: Iterable<string>): void
  /** With what was given to `add`. */
  remove(one: T, accounts: Iterable<Id>, tags: Iterable<string>): void
  /** Each once. */
  of(account: Id, tags: readonly string[]): ReadonlySet<T>
  /** Those who hear of any tag. */
  withTags(): ReadonlySet<T>
}

const NOBODY: ReadonlySet<never> = new Set()

export function createFollowerIndex<T>(): FollowerIndex<T> {
  const byAccount = new Map<Id, Set<T>>()
  const byTag = new Map<string, Set<T>>()
  const withTags = new Set<T>()

  function enter(index: Map<string, Set<T>>, key: string, one: T): void {
    const there = index.get(key)
    if (there) there.add(one)
    else index.set(key, new Set([one]))
  }

  function leave(index: Map<string, Set<T>>, key: string, one: T): void {
    const there = index.get(key)
    there?.delete(one)
    if (there?.size === 0) index.delete(key)
  }

  return {
    add(one, accounts, tags) {
      for (const account of accounts) enter(byAccount, account, one)
      for (const tag of tags) {
        enter(byTag, tag, one)
        withTags.add(one)
      }
    },
    remove(one, accounts, tags) {
      for (const account of accounts) leave(byAccount, account, one)
      for (const tag of tags) leave(byTag, tag, one)
      withTags.delete(one)
    },
    of(account, tags) {
      const found = byAccount.get(account) ?? NOBODY
      if (!tags.some(tag => byTag.has(tag))) return found
      const all = new Set<T>(found)
      for (const tag of tags) for (const one of byTag.get(tag) ?? NOBODY) all.add(one)
      return all
    },
    withTags: () => withTags,
  }
}
