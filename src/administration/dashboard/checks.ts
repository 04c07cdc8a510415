import { readdir, statfs } from 'node:fs/promises'
import { humanSize } from '../../core/human_size.ts'
import { c, query, SQL_FOLDER } from '../../platform/database/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { makeKey } from '../../platform/storage/index.ts'
import { badge, facts, html, section, type Content, type Html, type Tone } from '../../platform/ui/index.ts'
import { readStorage } from '../measures/index.ts'

const failingJobsQuery = query(
  'administration/dashboard/failing_jobs',
  { mail: c.texts },
  { given_up: c.integer, retrying: c.integer, mails: c.integer, mail_error: c.nullable(c.text) },
)
const appliedMigrationsQuery = query('administration/dashboard/applied_migrations', {}, { name: c.text })

/** The kinds of jobs that send e-mails. */
export const MAIL_JOBS = [
  'account_removal.farewell',
  'accounts.send_confirmation',
  'accounts.welcome',
  'credentials.send_reset',
  'email_subscriptions.confirm',
  'email_subscriptions.send',
  'email_subscriptions.send_again',
  'letters.notice',
  'member_mailings.send',
  'member_mailings.send_again',
  'member_mailings.test',
  'moderation.appeal_email',
  'moderation.mail',
  'notification_mail.send',
  'registration.resend_confirmation',
  'reports:mail',
] as const satisfies readonly string[]

const MAX_ERROR_CHARACTERS = 200
const PROBE_TIMEOUT_MS = 2000
const CACHE_MS = 60_000
const MIN_FREE_RATIO = 0.1
const MIN_FREE_BYTES = 10 * 1024 ** 3

/** Probes whether the file storage responds, at most once a minute. */
const storageProbe = perServer(({ storage, logger }: Services) => {
  let cached: { at: number; isWorking: Promise<boolean> } | undefined
  const probe = async (): Promise<boolean> => {
    const timeout = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => timeout.resolve(false), PROBE_TIMEOUT_MS)
    const response = storage.sizeOf(makeKey('media', 'png')).then(
      () => true,
      (error: unknown) => {
        logger.warn({ err: error }, 'the storage does not respond')
        return false
      },
    )
    return Promise.race([response, timeout.promise]).finally(() => clearTimeout(timer))
  }
  return (): Promise<boolean> => {
    const now = performance.now()
    if (!cached || now - cached.at > CACHE_MS) cached = { at: now, isWorking: probe() }
    return cached.isWorking
  }
})

/** The names of this release's migrations, read once. */
const releasedMigrations = perServer(() => {
  let names: string[] | undefined
  const read = async (): Promise<string[]> => {
    const files = await readdir(new URL('migrations/', SQL_FOLDER))
    return files.map(file => file.replace(/\.sql$/, ''))
  }
  return async (): Promise<string[]> => (names ??= await read())
})

/** The migrations of this release that the database does not have. */
async function findPendingMigrations(services: Services): Promise<string[]> {
  const [released, applied] = await Promise.all([
    releasedMigrations(services)(),
    services.database.run(appliedMigrationsQuery, {}),
  ])
  const appliedNames = new Set(applied.map(({ name }) => name))
  return released.filter(name => !appliedNames.has(name))
}

async function readDiskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

const stateHtml = (tone: Tone, label: string, details?: Content): Html =>
  html`${badge(label, tone)} ${details !== undefined && html`<span>${details}</span>`}`

const shorten = (error: string): string => (error.split('\n', 1)[0] ?? '').slice(0, MAX_ERROR_CHARACTERS)

/** The system checks: mail, storage, jobs, disk, migrations, versions. */
export async function renderChecks(services: Services, { t }: Translator): Promise<Html> {
  const { config, database } = services
  const [failing, isStorageWorking, pending, disk, { version, databaseBytes, mediaBytes }] = await Promise.all([
    database.one(failingJobsQuery, { mail: [...MAIL_JOBS] }),
    storageProbe(services)(),
    findPendingMigrations(services),
    readDiskSpace(config.dataDir),
    readStorage(services),
  ])
  const goodLabel = t('dashboard.check.good')
  const attentionLabel = t('dashboard.check.attention')
  const { given_up = 0, retrying = 0, mails = 0, mail_error: mailError = null } = failing ?? {}
  const mail = (): Html => {
    if (mails > 0)
      return stateHtml(
        'bad',
        attentionLabel,
        t('dashboard.check.mail_failed', { count: mails, error: shorten(mailError ?? '') }),
      )
    if (config.smtpUrl === undefined) return stateHtml('warning', attentionLabel, t('dashboard.check.mail_files'))
    return stateHtml('good', goodLabel, new URL(config.smtpUrl).host)
  }
  const storageName = config.s3Bucket ?? t('dashboard.check.folder')
  const failedCount = given_up + retrying
  const isFull = disk.free < disk.size * MIN_FREE_RATIO && disk.free < MIN_FREE_BYTES
  const free = t('dashboard.check.free', { free: humanSize(disk.free), size: humanSize(disk.size) })
  return section(
    'checks',
    t('dashboard.checks'),
    facts([
      [t('dashboard.check.mail'), mail()],
      [
        t('dashboard.check.storage'),
        stateHtml(isStorageWorking ? 'good' : 'bad', isStorageWorking ? goodLabel : attentionLabel, storageName),
      ],
      [
        t('dashboard.check.jobs'),
        failedCount === 0
          ? stateHtml('good', goodLabel)
          : stateHtml(
              given_up > 0 ? 'bad' : 'warning',
              attentionLabel,
              t('dashboard.check.failed', { given_up, retrying }),
            ),
      ],
      [t('dashboard.check.disk'), stateHtml(isFull ? 'bad' : 'good', isFull ? attentionLabel : goodLabel, free)],
      [
        t('dashboard.check.migrations'),
        pending.length === 0 ? stateHtml('good', goodLabel) : stateHtml('bad', attentionLabel, pending.join(', ')),
      ],
      [t('dashboard.check.database_size'), humanSize(databaseBytes)],
      [t('dashboard.check.files_size'), humanSize(mediaBytes)],
      ['PostgreSQL', version],
      ['Node.js', process.versions.node],
    ]),
  )
}
