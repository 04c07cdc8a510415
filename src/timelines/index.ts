/** Timelines: what everybody, or one person, sees in the order of time. */
export { accessibleParts, type Parts } from './access.ts'
export { readPublic } from './public.ts'
export { readTag } from './tag.ts'
