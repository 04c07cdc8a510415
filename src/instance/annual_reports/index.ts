/** What people did in a year. */
export { openCampaign } from './campaign.ts'
export { renderAnnualReportEvents, sharedReport, type ReportData } from './render.ts'
