import { signedInForm, signedInPage, settingsPage } from '../account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { redirect } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { form, html, submit, timeText, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { REQUEST_INTERVAL_MS, requestArchive } from './request.ts'
import { SEVERED_PATH } from './severed.ts'
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
export const showExports = signedInPage({
  path,
  summary: 'Export of the person’s own data',
  params: {},
  async show(_, context, webSession, viewer) {
    const { translator } = webSession
    const archives = await context.database.run(listArchives, { user: viewer.userId })
    const body = html`<h2>${translator.t('exports.archive.title')}</h2>
      <p>${translator.t('exports.archive.intro')}</p>
      ${mayAsk(archives) && form({ action: path, csrfToken: webSession.csrfToken() }, submit(translator.t('exports.archive.request')))}
      <ul class="entries">
        ${archives.map(archive => entry(archive, translator))}
      </ul>
      <h2>${translator.t('exports.lists.title')}</h2>
      <p>${translator.t('exports.lists.intro')}</p>
      <ul>
        ${Object.entries(TABLES).map(([name, { title }]) => html`<li><a href="${path}/${name}.csv">${translator.t(title)}</a></li>`)}
      </ul>
      <p><a href="${SEVERED_PATH}">${translator.t('severed.title')}</a></p>`
    return settingsPage(context, webSession, viewer, {
      title: translator.t('exports.title'),
      body,
      navigationPath: path,
    })
  },
})

/** Requests an archive; a job builds it. */
export const askForArchive = signedInForm({
  method: 'POST',
  path,
  summary: 'Ask for an archive',
  params: {},
  async act(_, context, webSession, viewer) {
    const { t } = webSession.translator
    if (await requestArchive(context.database, viewer.userId, { unlessWithinMs: REQUEST_INTERVAL_MS }))
      webSession.flash(t('exports.archive.requested'))
    else webSession.flash(t('exports.archive.too_early'), 'alert')
    return webSession.respond(redirect(path))
  },
})

const mayAsk = ([latest]: readonly Archive[]): boolean =>
  latest === undefined || latest.created_at.getTime() < Date.now() - REQUEST_INTERVAL_MS

function entry(archive: Archive, translator: Translator): Html {
  const { t, language } = translator
  const { id, ready_at: readyAt, there } = archive
  const date = timeText(readyAt ?? archive.created_at, translator)
  if (readyAt === null) return html`<li class="entry"><p>${t('exports.archive.making', { date })}</p></li>`
  if (!there) return html`<li class="entry"><p class="quiet">${t('exports.archive.gone', { date })}</p></li>`
  const megabytes = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const size = `${megabytes.format(Number(archive.size_bytes) / MEGABYTE)} MB`
  return html`<li class="entry">
    <p>${t('exports.archive.made', { date })}</p>
    <p><a class="button plain" href="/backups/${id}/download">${t('exports.archive.download', { size })}</a></p>
  </li>`
}
