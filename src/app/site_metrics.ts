import { statfs } from 'node:fs/promises'
import { readStorage } from '../administration/index.ts'
import { statistics } from '../instance/index.ts'
import { countJobs } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

const SECOND_MS = 1_000

/**
 * Metrics of what the server holds, which are the same in every process: jobs, people, posts and
 * space. Each group costs one statement, at most once in the given time.
 */
export function addSiteMetrics(services: Services): void {
  const { config, database, metrics, jobs } = services
  metrics.gauge('millrace_jobs_succeeded', 'Jobs that ended well', () => jobs.statistics().succeeded)
  metrics.sampled(
    {
      waiting: ['millrace_jobs_waiting', 'Jobs that are due and have not been tried'],
      running: ['millrace_jobs_running', 'Jobs that run'],
      retrying: ['millrace_jobs_retrying', 'Jobs that have failed and will be tried again'],
      failed: ['millrace_jobs_failed', 'Stored jobs that have failed for the last time'],
      oldest_seconds: ['millrace_jobs_oldest_seconds', 'How long the oldest job that is due waits'],
    },
    () => countJobs(database),
    30 * SECOND_MS,
  )
  metrics.sampled(
    {
      user_count: ['millrace_users', 'Members with a confirmed address'],
      active_month: ['millrace_users_active_month', 'Members who were here in the last four weeks'],
      status_count: ['millrace_statuses', 'Posts of members'],
    },
    statistics(services),
    180 * SECOND_MS,
  )
  metrics.sampled(
    {
      databaseBytes: ['millrace_database_bytes', 'Size of the database'],
      mediaBytes: ['millrace_media_bytes', 'Size of the files of attachments'],
    },
    () => readStorage(services),
    180 * SECOND_MS,
  )
  metrics.sampled(
    {
      free: ['millrace_disk_free_bytes', 'Free space where DATA_DIR is'],
      size: ['millrace_disk_bytes', 'Size of the file system where DATA_DIR is'],
    },
    async () => {
      const { bavail, blocks, bsize } = await statfs(config.dataDir)
      return { free: bavail * bsize, size: blocks * bsize }
    },
    SECOND_MS,
  )
}
