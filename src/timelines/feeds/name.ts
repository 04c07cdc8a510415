import type { Id } from '../../core/id.ts'

/** A feed: home of an account, or one of its lists. */
export type FeedName =
  { readonly kind: 'home'; readonly owner: Id } | { readonly kind: 'list'; readonly owner: Id; readonly list: Id }

/** The same text for the same feed. */
export const keyOf = (name: FeedName): string =>
  name.kind === 'home' ? `home:${name.owner}` : `list:${name.list}:${name.owner}`
