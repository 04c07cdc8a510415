/** What people did in a year. */
export { openCampaign } from './campaign.ts'
export { renderAnnualReportEvents } from './render.ts'
