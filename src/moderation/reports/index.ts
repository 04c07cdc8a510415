/** Reports to the moderators. */

export { addReport } from './add.ts'
export { REPORT_CATEGORIES } from './category.ts'
export { assignReport, categorizeReport, reopenReport } from './change.ts'
export { renderReports } from './render.ts'
