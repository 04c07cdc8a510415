import { mailReport } from './report_email.ts'

/** What the domain leaves for later. */
export const jobs = [mailReport]
