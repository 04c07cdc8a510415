/** How accounts stand to each other, in memory: what the rules of feeds and streams decide by without a query. */
export { relations, type RelationsKeeper } from './keeper.ts'
export { createPinned, type Pinned, type PinnedOptions } from './pinned.ts'
export { shuns, type FollowOptions, type ListRelations, type Relations, type RepliesPolicy } from './relations.ts'
