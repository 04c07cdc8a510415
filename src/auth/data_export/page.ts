import { requireSignedIn, settingsPage } from '../account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, redirect } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { CSRF_PARAMETER, form, html, submit, type Html } from '../../platform/ui/index.ts'
import { timeOf } from '../sessions/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { ASK_AGAIN_MS, requestArchive } from './request.ts'
import { TABLES } from './tables.ts'

const listArchives = query(
  'auth/data_export/archives',
  { user: c.id },
  { id: c.id, size_bytes: c.bigint, there: c.boolean, ready_at: c.nullable(c.timestamp), created_at: c.timestamp },
)

const path = '/settings/exports'
const MEGABYTE = 1_000_000

interface Archive {
  readonly id: Id
  readonly size_bytes: string
  readonly there: boolean
  readonly ready_at: Date | null
  readonly created_at: Date
}

/** The export page, also available to suspended accounts. */
export const showExports = operation({
  method: 'GET',
  path,
  summary: 'Export of the person’s own data',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle(_, context) {
    return requireSignedIn(context, {}, async (visit, viewer) => {
      const { speaker } = visit
      const archives = await context.database.run(listArchives, { user: viewer.userId })
      const body = html`<h2>${speaker.t('exports.archive.title')}</h2>
        <p>${speaker.t('exports.archive.intro')}</p>
        ${mayAsk(archives) && form({ action: path, csrfToken: visit.csrfToken() }, submit(speaker.t('exports.archive.request')))}
        <ul class="entries">
          ${archives.map(archive => entry(archive, speaker))}
        </ul>
        <h2>${speaker.t('exports.lists.title')}</h2>
        <p>${speaker.t('exports.lists.intro')}</p>
        <ul>
          ${Object.entries(TABLES).map(([name, { title }]) => html`<li><a href="${path}/${name}.csv">${speaker.t(title)}</a></li>`)}
        </ul>`
      return settingsPage(context, visit, viewer, { title: speaker.t('exports.title'), body, place: path })
    })
  },
})

/** Requests an archive; a job builds it. */
export const askForArchive = operation({
  method: 'POST',
  path,
  summary: 'Ask for an archive',
  auth: 'public',
  scopes: [],
  page: true,
  params: { [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  handle(protection, context) {
    return requireSignedIn(context, { form: protection }, async (visit, viewer) => {
      const { t: say } = visit.speaker
      if (await requestArchive(context.database, viewer.userId, { unlessWithinMs: ASK_AGAIN_MS }))
        visit.flash(say('exports.archive.requested'))
      else visit.flash(say('exports.archive.too_early'), 'alert')
      return visit.answer(redirect(path))
    })
  },
})

const mayAsk = ([latest]: readonly Archive[]): boolean =>
  latest === undefined || latest.created_at.getTime() < Date.now() - ASK_AGAIN_MS

function entry(archive: Archive, { t: say, language }: Translator): Html {
  const { id, ready_at: readyAt, there } = archive
  const date = timeOf(readyAt ?? archive.created_at)
  if (readyAt === null) return html`<li class="entry"><p>${say('exports.archive.making', { date })}</p></li>`
  if (!there) return html`<li class="entry"><p class="quiet">${say('exports.archive.gone', { date })}</p></li>`
  const megabytes = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const size = `${megabytes.format(Number(archive.size_bytes) / MEGABYTE)} MB`
  return html`<li class="entry">
    <p>${say('exports.archive.made', { date })}</p>
    <p><a class="button plain" href="/backups/${id}/download">${say('exports.archive.download', { size })}</a></p>
  </li>`
}
