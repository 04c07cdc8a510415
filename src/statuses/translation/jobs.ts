import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { REMEMBERED_MS } from './translate.ts'

const expire = query('statuses/translation/expire', { before: c.timestamp }, {})

/** Translations are stored for a day. */
const forgetTranslations = job<undefined, Services>(
  'translation.forget',
  () => undefined,
  async (_, { database }) => {
    await database.run(expire, { before: new Date(Date.now() - REMEMBERED_MS) })
  },
  { cron: '41 * * * *' },
)

export const jobs = [forgetTranslations]
