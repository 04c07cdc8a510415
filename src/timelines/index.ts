/**
 * Chronological reading: home feeds, lists, public timelines, hashtags, trends, search,
 * conversations, and the streams of all these. May import `notifications` and the districts before
 * it. Begin with `feeds/` and `streams/`.
 */
export { accessibleParts, publicParts } from './access.ts'
export { readPublic } from './public.ts'
export { readTag } from './tag.ts'
