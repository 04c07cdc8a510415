import type { Id } from '../../core/id.ts'

/**
 * Finds the feeds that may take a post, by its author and its tags, without a scan of all feeds.
 */
export interface FollowerIndex<T> {
  add(one: T, accounts: Iterable<Id>, tags: Iterable<string>): void
  /** Takes the same sources as `add`. */
  remove(one: T, accounts: Iterable<Id>, tags: Iterable<string>): void
  /** The members for an account or any of the tags, without duplicates. */
  of(account: Id, tags: readonly string[]): ReadonlySet<T>
  /** The members with any tag. */
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
