import { guardRegistrations } from './unattended_registrations.ts'
import { welcome } from './api/activate.ts'
import { sendConfirmation } from './api/confirmation.ts'
import { cleanSignUps } from './unconfirmed_cleanup.ts'
import { resendTo } from './resend.ts'

/** What the domain leaves for later. */
export const jobs = [cleanSignUps, guardRegistrations, resendTo, sendConfirmation, welcome]
