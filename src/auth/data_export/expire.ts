import { c, query } from '../../platform/database/index.ts'
import { enqueue, job } from '../../platform/jobs/index.ts'
import { removeFiles } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'

const expire = query('auth/data_export/expire', { before: c.timestamp }, { file_key: c.text })

const DAY_MS = 86_400_000

/** Deletes archives once a day after the number of days in the settings. */
export const expireArchives = job<undefined, Services>(
  'exports.expire',
  () => undefined,
  async (_, { database, settings }) => {
    const days = settings.get('backups_retention_period')
    if (days === null) return
    const before = new Date(Date.now() - days * DAY_MS)
    for (let left = true; left;) {
      left = await database.transaction(async transaction => {
        const expired = await transaction.run(expire, { before })
        if (expired.length > 0) await enqueue(transaction, removeFiles, { keys: expired.map(row => row.file_key) })
        return expired.length > 0
      })
    }
  },
  { cron: '53 4 * * *' },
)
