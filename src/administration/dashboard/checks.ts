import { readdir, statfs } from 'node:fs/promises'
import { humanSize } from '../../core/human_size.ts'
import { c, query, SQL_FOLDER } from '../../platform/database/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { makeKey } from '../../platform/storage/index.ts'
import { badge, facts, html, section, type Content, type Html, type Tone } from '../../platform/ui/index.ts'
import { readStorage } from '../measures/index.ts'

const jobs = query(
  'administration/dashboard/jobs',
  { mail: c.texts },
  { given_up: c.integer, retrying: c.integer, mails: c.integer, mail_error: c.nullable(c.text) },
)
const migrations = query('administration/dashboard/migrations', {}, { name: c.text })

/** The kinds of jobs that send e-mails. */
export const MAIL_JOBS = [
  'account_removal.farewell',
  'accounts.send_confirmation',
  'accounts.welcome',
  'credentials.send_reset',
  'letters.notice',
  'moderation.appeal_email',
  'moderation.mail',
  'notification_mail.send',
  'registration.resend_confirmation',
  'reports:mail',
] as const satisfies readonly string[]

const ERROR_CHARACTERS = 200
const PROBE_MS = 2000
const KEEP_MS = 60_000
const LEAST_FREE = 0.1
const LEAST_FREE_BYTES = 1024 ** 3

/** Whether the storage of files responds; asked at most once a minute. */
const storageWorks = perServer(({ storage, logger }: Services) => {
  let known: { at: number; works: Promise<boolean> } | undefined
  const probe = async (): Promise<boolean> => {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), PROBE_MS)
    const found = storage.sizeOf(makeKey('media', 'png')).then(
      () => true,
      (error: unknown) => {
        logger.warn({ err: error }, 'the storage does not respond')
        return false
      },
    )
    return Promise.race([found, late.promise]).finally(() => clearTimeout(timer))
  }
  return (): Promise<boolean> => {
    const now = performance.now()
    if (!known || now - known.at > KEEP_MS) known = { at: now, works: probe() }
    return known.works
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
async function pendingMigrations(services: Services): Promise<string[]> {
  const [released, applied] = await Promise.all([releasedMigrations(services)(), services.database.run(migrations, {})])
  const known = new Set(applied.map(({ name }) => name))
  return released.filter(name => !known.has(name))
}

async function diskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

const state = (tone: Tone, label: string, more?: Content): Html =>
  html`${badge(label, tone)} ${more !== undefined && html`<span>${more}</span>`}`

const shorten = (error: string): string => (error.split('\n', 1)[0] ?? '').slice(0, ERROR_CHARACTERS)

/** What the server needs in order to work, for those who operate it. */
export async function checks(services: Services, { t }: Translator): Promise<Html> {
  const { config, database } = services
  const [failing, works, pending, disk, { version, databaseBytes, mediaBytes }] = await Promise.all([
    database.one(jobs, { mail: [...MAIL_JOBS] }),
    storageWorks(services)(),
    pendingMigrations(services),
    diskSpace(config.dataDir),
    readStorage(services),
  ])
  const good = t('dashboard.check.good')
  const attention = t('dashboard.check.attention')
  const { given_up = 0, retrying = 0, mails = 0, mail_error: mailError = null } = failing ?? {}
  const mail = (): Html => {
    if (mails > 0)
      return state(
        'bad',
        attention,
        t('dashboard.check.mail_failed', { count: mails, error: shorten(mailError ?? '') }),
      )
    if (config.smtpUrl === undefined) return state('warning', attention, t('dashboard.check.mail_files'))
    return state('good', good, new URL(config.smtpUrl).host)
  }
  const place = config.s3Bucket ?? t('dashboard.check.folder')
  const failed = given_up + retrying
  const isFull = disk.free < disk.size * LEAST_FREE && disk.free < 10 * LEAST_FREE_BYTES
  const free = t('dashboard.check.free', { free: humanSize(disk.free), size: humanSize(disk.size) })
  return section(
    'checks',
    t('dashboard.checks'),
    facts([
      [t('dashboard.check.mail'), mail()],
      [t('dashboard.check.storage'), state(works ? 'good' : 'bad', works ? good : attention, place)],
      [
        t('dashboard.check.jobs'),
        failed === 0
          ? state('good', good)
          : state(given_up > 0 ? 'bad' : 'warning', attention, t('dashboard.check.failed', { given_up, retrying })),
      ],
      [t('dashboard.check.disk'), state(isFull ? 'bad' : 'good', isFull ? attention : good, free)],
      [
        t('dashboard.check.migrations'),
        pending.length === 0 ? state('good', good) : state('bad', attention, pending.join(', ')),
      ],
      [t('dashboard.check.database_size'), humanSize(databaseBytes)],
      [t('dashboard.check.files_size'), humanSize(mediaBytes)],
      ['PostgreSQL', version],
      ['Node.js', process.versions.node],
    ]),
  )
}
