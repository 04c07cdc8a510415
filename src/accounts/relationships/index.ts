/** How accounts stand to each other, in memory: what the rules of feeds and streams decide by without a query. */
export { relations, type RelationsKeeper } from './relationship_cache.ts'
export { createPinned, type Pinned, type PinnedOptions } from '../../platform/cache/pinned_cache.ts'
export { shuns, type FollowOptions, type ListRelations, type Relations, type RepliesPolicy } from './relations.ts'
