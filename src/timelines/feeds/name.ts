import type { Id } from '../../core/id.ts'

/** A feed: an account's home, or one of its lists. */
export type FeedName =
  { readonly kind: 'home'; readonly owner: Id } | { readonly kind: 'list'; readonly owner: Id; readonly list: Id }

/** A key that is equal for equal names. */
export const keyOf = (name: FeedName): string =>
  name.kind === 'home' ? `home:${name.owner}` : `list:${name.list}:${name.owner}`
