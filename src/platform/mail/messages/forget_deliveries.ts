import { c, query } from '../../database/index.ts'
import { job } from '../../jobs/index.ts'
import type { Services } from '../../services.ts'

const forget = query('platform/mail/forget_deliveries', {}, { removed: c.integer })

/** Once a day: removes records of e-mails that no job can repeat. */
export const forgetDeliveries = job<undefined, Services>(
  'letters.forget_deliveries',
  () => undefined,
  async (_, { database }, { signal }) => {
    for (let left = true; left;) {
      signal.throwIfAborted()
      left = ((await database.one(forget, {}))?.removed ?? 0) > 0
    }
  },
  { cron: '51 4 * * *' },
)
