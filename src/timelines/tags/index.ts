/** Hashtags: what they are, who follows and features them. */
export { firstDay, HISTORY_DAYS, makeHistory, type DayOfUse } from './history.ts'
export { renderTag, renderTags } from './render.ts'
