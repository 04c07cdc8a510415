/** Relationships in memory, so that feeds and streams can be filtered without queries. */
export { relationships, type RelationshipCache } from './relationship_cache.ts'
export { createPinnedCache, type PinnedCache, type PinnedOptions } from '../../platform/cache/pinned_cache.ts'
export {
  blocksOrMutes,
  type FollowOptions,
  type ListRelations,
  type Relations,
  type RepliesPolicy,
} from './relations.ts'
