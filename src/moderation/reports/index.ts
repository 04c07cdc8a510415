/** Reports to the moderators. */
export { REPORT_CATEGORIES, type ReportCategory } from './category.ts'
export { renderReports } from './render.ts'
