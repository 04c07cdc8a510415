/** Reports to the moderators. */

export { renderReports } from './render.ts'
