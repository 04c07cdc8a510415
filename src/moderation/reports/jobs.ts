import { sendReportEmail } from './report_email.ts'

/** Background jobs of this folder. */
export const jobs = [sendReportEmail]
