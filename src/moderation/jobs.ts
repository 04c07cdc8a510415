import { sendAppealEmail } from './appeal_email.ts'
import { sendWarningEmail } from './warning_email.ts'
import { severSuspended } from './sever.ts'
import { withholdFiles } from './withhold_files.ts'

/** Background jobs of this folder. */
export const jobs = [sendAppealEmail, sendWarningEmail, severSuspended, withholdFiles]
