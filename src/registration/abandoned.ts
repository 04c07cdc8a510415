import { c, query } from '../database/index.ts'
import type { Id } from '../id.ts'
import { job } from '../jobs/index.ts'
import { notifyByLetter } from '../letters/index.ts'
import type { Services } from '../services.ts'

const findAbandoned = query('registration/abandoned', {}, { abandoned: c.boolean })
const findManagers = query('registration/managers', {}, { id: c.id })

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
    const managers: Id[] = (await database.run(findManagers, {})).map(({ id }) => id)
    for (const manager of managers) await notifyByLetter(database, manager, 'registrations_guarded')
  },
  { cron: '41 * * * *' },
)
