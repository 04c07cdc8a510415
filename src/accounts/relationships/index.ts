/** How accounts stand to each other, in memory: what the rules of feeds and streams decide by without a query. */
export { relationships, type RelationshipCache } from './relationship_cache.ts'
export { createPinnedCache, type PinnedCache, type PinnedOptions } from '../../platform/cache/pinned_cache.ts'
export {
  blocksOrMutes,
  type FollowOptions,
  type ListRelations,
  type Relations,
  type RepliesPolicy,
} from './relations.ts'
