import { cleanSubscriptions } from './clean.ts'
import { sendConfirmation } from './confirmation_email.ts'
import { sendPost, sendPostAgain } from './send_posts.ts'

/** Background jobs of this folder. */
export const jobs = [cleanSubscriptions, sendConfirmation, sendPost, sendPostAgain]
