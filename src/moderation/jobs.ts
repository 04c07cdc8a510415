import { sendWarningEmail } from './warning_email.ts'
import { severSuspended } from './sever.ts'

/** Background jobs of this folder. */
export const jobs = [sendWarningEmail, severSuspended]
