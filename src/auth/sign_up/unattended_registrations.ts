import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import { notifyStaff } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'

const findUnattended = query('auth/sign_up/unattended', {}, { unattended: c.boolean })

/**
 * Makes sign-ups require approval when no moderator has been active for 8 days, and sends an e-mail
 * to the staff who can change it back. Skipped if only some e-mail domains may sign up, or if the
 * operator disabled it.
 */
export const guardRegistrations = job<undefined, Services>(
  'registration.guard',
  () => undefined,
  async (_, { database, settings, config }) => {
    if (config.registrationsStayOpen || config.emailDomainAllowlist.length > 0) return
    if (settings.get('registrations_mode') !== 'open') return
    if (!(await database.one(findUnattended, {}))?.unattended) return
    await settings.setWith('registrations_mode', 'approved', transaction =>
      notifyStaff(transaction, 'registrations_guarded'),
    )
  },
  { cron: '41 * * * *' },
)
