/**
 * What people read in the order of time: home feeds, lists, public timelines, hashtags, trends, search, conversations,
 * and the streams of all these. It imports notifications and what stands before it. Begin with `feeds/` and `streams/`.
 */
export { accessibleParts, type Parts } from './access.ts'
export { readPublic } from './public.ts'
export { readTag } from './tag.ts'
