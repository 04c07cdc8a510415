/** Hashtags: what they are, who follows and features them. */
export { renderTag, renderTags } from './render.ts'
