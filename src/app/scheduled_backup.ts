import { MILLRACE_VERSION } from '../instance/index.ts'
import { newestBackup, removeOldBackups, scheduledFile, writeBackupFile } from '../platform/backup/index.ts'
import { job, memberOf } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

const ATTEMPTS = 3

/**
 * The nightly backup in `BACKUP_DIR`. A repeated run writes the same file again. Old backups are
 * removed after a new one is complete, so that a full disk never costs an existing one.
 */
const makeBackup = job<Date, Services>(
  'backup.make',
  payload => {
    const time = new Date(String(memberOf(memberOf(payload, '_cron'), 'ts')))
    if (Number.isNaN(time.getTime())) throw new Error('the time of the backup is missing')
    return time
  },
  async (time, { config, database, logger }, { signal }) => {
    const { backupDir, backupKeep, s3Bucket, dataDir } = config
    if (backupDir === undefined) throw new Error('BACKUP_DIR is not set')
    const file = await scheduledFile(backupDir, time)
    const { rows, files, bytes } = await writeBackupFile(file, {
      connection: database.connection,
      version: MILLRACE_VERSION,
      dataDir: s3Bucket === undefined ? dataDir : undefined,
      signal,
    })
    const removed = await removeOldBackups(backupDir, backupKeep)
    logger.info({ file, rows, files, bytes, removed }, 'made a backup')
  },
  { cron: '23 2 * * *', attempts: ATTEMPTS },
)

export const jobs = [makeBackup]

/**
 * Whether a process with this folder of backups runs a job: without a folder it leaves the backup
 * to others.
 */
export const isForFolder = (backupDir: string | undefined, { name }: { readonly name: string }): boolean =>
  backupDir !== undefined || name !== makeBackup.name

/** Metrics of the nightly backups, where they are made. */
export function addBackupMetrics({ config: { backupDir }, metrics }: Services): void {
  if (backupDir === undefined) return
  metrics.gauge(
    'millrace_backup_last_seconds',
    'When the newest nightly backup was complete, in seconds since 1970; 0 without one',
    () => (newestBackup(backupDir)?.madeAt.getTime() ?? 0) / 1000,
    'max',
  )
  metrics.gauge(
    'millrace_backup_bytes',
    'The size of the newest nightly backup',
    () => newestBackup(backupDir)?.sizeBytes ?? 0,
    'max',
  )
}
