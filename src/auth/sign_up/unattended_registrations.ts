import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import { notifyStaff } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'

const findAbandoned = query('auth/sign_up/abandoned', {}, { abandoned: c.boolean })

/**
 * Lets nobody in without approval any more when no moderator has been here for 8 days (api/settings.md, section 2), and writes to those
 * who may change that. Left out where only some e-mail domains are let in, and where the operator says so.
 */
export const guardRegistrations = job<undefined, Services>(
  'registration.guard',
  () => undefined,
  async (_, { database, settings, config }) => {
    if (config.registrationsStayOpen || config.emailDomainAllowlist.length > 0) return
    if (settings.get('registrations_mode') !== 'open') return
    if (!(await database.one(findAbandoned, {}))?.abandoned) return
    await settings.set('registrations_mode', 'approved')
    await notifyStaff(database, 'registrations_guarded')
  },
  { cron: '41 * * * *' },
)
