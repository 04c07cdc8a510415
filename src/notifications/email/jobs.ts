import { sendNotificationEmail } from './send.ts'

/** Background jobs of this folder. */
export const jobs = [sendNotificationEmail]
