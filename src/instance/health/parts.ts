import { statfs } from 'node:fs/promises'
import { ApiError } from '../../core/errors.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { alive, writeNothing } from './alive.ts'

const overdueJobs = query('instance/health/overdue_jobs', { kinds: c.texts }, { overdue: c.boolean })

/** With less, PostgreSQL may be unable to write its log, and uploads fail. */
const LEAST_FREE_BYTES = 256 * 1024 ** 2

type Check = (services: Pick<Services, 'config' | 'database' | 'jobs'>) => Promise<void>

/** Whether the server can answer requests, if only those that read. */
export const canServe: Check = async ({ database }) => {
  await database.one(alive, {})
}

/** The parts that the server needs, each with its check. A check throws the reason of a failure. */
export const PARTS = {
  database: async ({ database }) => {
    const state = await database.one(alive, {})
    if (state?.writable !== true) await database.run(writeNothing, {})
  },
  disk: async ({ config }) => {
    const { bavail, bsize } = await statfs(config.dataDir).catch((cause: unknown) => {
      throw new ApiError('unavailable', { message: 'The data folder is missing', cause })
    })
    if (bavail * bsize < LEAST_FREE_BYTES) throw new ApiError('unavailable', { message: 'The disk is nearly full' })
  },
  jobs: async ({ database, jobs }) => {
    if ((await database.one(overdueJobs, { kinds: [...jobs.kinds] }))?.overdue)
      throw new ApiError('unavailable', { message: 'Background jobs wait for more than ten minutes' })
  },
} as const satisfies Record<string, Check>
