import { beginDueEmails } from './begin_due.ts'
import { sendNotificationEmail } from './send.ts'

/** Background jobs of this folder. */
export const jobs = [beginDueEmails, sendNotificationEmail]
