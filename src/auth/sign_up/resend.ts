import { parseEmail } from './api/email.ts'
import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { resendConfirmation } from './address.ts'

const findWaiting = query('auth/sign_up/waiting_user', { email: c.text }, { id: c.id })

/** Sends the confirmation e-mail again if the address waits for confirmation. */
export const resendTo = job<{ email: string }, Services>(
  'registration.resend_confirmation',
  parseEmail,
  async ({ email }, { database }) => {
    const waiting = await database.one(findWaiting, { email })
    if (waiting) await resendConfirmation(database, waiting.id)
  },
)
