import { sendDeletionEmail } from './deletion_email.ts'
import { accountRemoval } from './remove.ts'
import { removeSuspended } from './suspended.ts'

export const jobs = [accountRemoval, removeSuspended, sendDeletionEmail]
