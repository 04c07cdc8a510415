/** Reports in the admin API: lists, entities and changes. */
export { findReports } from './find.ts'
export { renderAdminReports } from './render.ts'
