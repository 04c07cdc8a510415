import { sendDeletions } from './send_deletions.ts'

export const jobs = [sendDeletions]
