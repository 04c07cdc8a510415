/** Annual reports about an account's year. */
export { openCampaign } from './campaign.ts'
export { renderAnnualReportEvents, sharedReport, type ReportData } from './render.ts'
