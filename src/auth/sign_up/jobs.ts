import { guardRegistrations } from './unattended_registrations.ts'
import { welcome } from './api/activate.ts'
import { sendConfirmation } from './api/confirmation.ts'
import { cleanSignUps } from './unconfirmed_cleanup.ts'
import { resendTo } from './resend.ts'

/** Background jobs of this folder. */
export const jobs = [cleanSignUps, guardRegistrations, resendTo, sendConfirmation, welcome]
