/** Relationships in memory, so that feeds and streams can be filtered without queries. */
export { relationships, type RelationshipCache } from './relationship_cache.ts'
export { blocksOrMutes, followTimesOf, type FollowOptions, type ListRelations, type Relations } from './relations.ts'
