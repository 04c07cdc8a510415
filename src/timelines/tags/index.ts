/** Hashtags: rendering, counting, following and featuring. */
export { firstDay, HISTORY_DAYS, makeHistory, type DayOfUse } from './history.ts'
export { renderTags } from './render.ts'
