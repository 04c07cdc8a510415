import { readFile } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { lockAccount } from '../../accounts/index.ts'
import { signedInForm, signedInPage, settingsPage } from '../../auth/account_settings/index.ts'
import { csvLine } from '../../auth/data_export/index.ts'
import type { WebSession } from '../../auth/sessions/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { param, redirect, Response, type Context } from '../../platform/http/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { checkbox, field, form, html, select, submit, timeText, type Html } from '../../platform/ui/index.ts'
import { isKind, KIND_NAMES, KINDS, MAX_ROWS, readRows, type FileError, type Kind } from './kinds.ts'
import { enqueueImport } from './run.ts'

const IMPORT = {
  id: c.id,
  kind: c.text,
  overwrite: c.boolean,
  file_name: c.text,
  rows_count: c.integer,
  done_count: c.integer,
  failed_count: c.integer,
  finished_at: c.nullable(c.timestamp),
  created_at: c.timestamp,
} as const

const listImports = query('timelines/data_import/page', { account: c.id }, IMPORT)
const start = query(
  'timelines/data_import/start',
  {
    account: c.id,
    kind: c.text,
    overwrite: c.boolean,
    file_name: c.text,
    rows: c.json<readonly (readonly string[])[]>(),
    limit: c.integer,
  },
  { id: c.id },
)
const findFailures = query(
  'timelines/data_import/failures',
  { account: c.id, import: c.id },
  { kind: c.text, cells: c.nullable(c.texts) },
)

const PATH = '/settings/imports'
const MEGABYTE = 1024 * 1024
const MAX_FILE_MEGABYTES = 20
const MAX_UNFINISHED = 5
const MAX_FILE_NAME = 255

/** Why a file is not imported. */
type ImportError = FileError | 'no_file' | 'too_large' | 'unfinished'

type Mode = 'merge' | 'overwrite'

/** A form that started nothing: what was chosen, and what is wrong with the file or the tick. */
interface Refused {
  readonly kind: Kind
  readonly mode: Mode
  readonly error: ImportError | 'not_sure'
}

export const showImports = signedInPage({
  path: PATH,
  summary: 'Show the form for imports, and their progress',
  params: {},
  functional: true,
  show: (_, context, webSession, viewer) => importsPage(context, webSession, viewer),
})

export const startImport = signedInForm({
  method: 'POST',
  path: PATH,
  summary: 'Import a CSV file',
  bodyLimitBytes: (MAX_FILE_MEGABYTES + 1) * MEGABYTE,
  params: {
    import: param.object(
      {
        kind: param.enumeration(KIND_NAMES),
        mode: param.enumeration(['merge', 'overwrite'], { default: 'merge' }),
        sure: param.boolean({ default: false }),
        file: param.upload({ optional: true }),
      },
      { missing: 400 },
    ),
  },
  functional: true,
  async act({ import: { kind, mode, sure, file } }, context, webSession, viewer) {
    const refuse = (error: Refused['error']) => importsPage(context, webSession, viewer, { kind, mode, error })
    if (mode === 'overwrite' && !sure) return refuse('not_sure')
    if (!file) return refuse('no_file')
    if (file.sizeBytes > MAX_FILE_MEGABYTES * MEGABYTE) return refuse('too_large')
    const bytes = typeof file.content === 'string' ? await readFile(file.content) : file.content
    if (!isUtf8(bytes) || bytes.includes(0)) return refuse('no_csv')
    const rows = readRows(kind, bytes.toString('utf8'))
    if (typeof rows === 'string') return refuse(rows)
    const started = await context.database.transaction(async transaction => {
      await lockAccount(transaction, viewer.id)
      const started = await transaction.one(start, {
        account: viewer.id,
        kind,
        overwrite: mode === 'overwrite',
        file_name: file.filename.slice(-MAX_FILE_NAME).toWellFormed(),
        rows,
        limit: MAX_UNFINISHED,
      })
      if (started) await enqueueImport(transaction, started.id)
      return started
    })
    if (!started) return refuse('unfinished')
    webSession.flash(webSession.translator.t('imports.started'))
    return webSession.respond(redirect(PATH))
  },
})

/** The rows that failed, in the format of the file, so that they can be imported again. */
export const downloadFailures = signedInPage({
  path: `${PATH}/:id/failures.csv`,
  summary: 'Download the rows of an import that failed',
  params: { id: param.id() },
  returns: 'text/csv',
  functional: true,
  async show({ id }, context, _, viewer) {
    const rows = await context.database.run(findFailures, { account: viewer.id, import: id })
    const kind = rows[0]?.kind ?? ''
    if (!isKind(kind)) throw new ApiError('notFound')
    const { columns, hasHeader } = KINDS[kind]
    const lines = rows.flatMap(({ cells }) => (cells ? csvLine(cells) : []))
    const text = `${hasHeader ? csvLine(columns) : ''}${lines.join('')}`
    return new Response(200, 'text/csv; charset=utf-8', text, {
      'Cache-Control': 'private, no-store',
      'Content-Disposition': `attachment; filename="${kind}_failures.csv"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    })
  },
})

async function importsPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  refused?: Refused,
): Promise<Response> {
  const { translator } = webSession
  const { t } = translator
  const imports = await context.database.run(listImports, { account: viewer.id })
  const limits = { count: MAX_ROWS, size: MAX_FILE_MEGABYTES }
  const body = html`<p>${t('imports.intro')}</p>
    ${form({ action: PATH, csrfToken: webSession.csrfToken(), multipart: true }, [
      select({
        label: t('imports.kind'),
        name: 'import[kind]',
        choices: KIND_NAMES.map(kind => [kind, t(`exports.${kind}`)]),
        value: refused?.kind ?? 'follows',
      }),
      field({
        label: t('imports.file'),
        name: 'import[file]',
        type: 'file',
        accept: 'text/csv,.csv',
        required: true,
        hint: t('imports.file_hint', limits),
        errors: refused && refused.error !== 'not_sure' ? [t(`imports.error.${refused.error}`, limits)] : [],
      }),
      select({
        label: t('imports.mode'),
        name: 'import[mode]',
        choices: [
          ['merge', t('imports.merge')],
          ['overwrite', t('imports.overwrite')],
        ],
        value: refused?.mode ?? 'merge',
        hint: t('imports.mode_hint'),
      }),
      checkbox({
        label: t('imports.sure'),
        name: 'import[sure]',
        required: false,
        errors: refused?.error === 'not_sure' ? [t('accounts.not_sure')] : [],
      }),
      submit(t('imports.start')),
    ])}
    ${
      imports.length > 0 &&
      html`<h2>${t('imports.latest')}</h2>
        <p class="quiet">${t('imports.kept')}</p>
        <ul class="entries">
          ${imports.map(one => entry(one, translator))}
        </ul>`
    }`
  const alert = refused && t('settings.refused')
  return settingsPage(context, webSession, viewer, { title: t('imports.title'), body, navigationPath: PATH, alert })
}

function entry(one: Row<typeof IMPORT>, translator: Translator): Html {
  const { t } = translator
  const { id, kind, file_name: name, rows_count: count, done_count: done, failed_count: failed } = one
  const title = isKind(kind) ? t(`exports.${kind}`) : kind
  const state =
    one.finished_at === null
      ? html`<p><progress max="${count}" value="${done}"></progress></p>
          <p class="quiet">${t('imports.progress', { done, count })} <a href="${PATH}">${t('imports.reload')}</a></p>`
      : html`<p class="quiet">
          ${t('imports.finished', { date: timeText(one.finished_at, translator), count: count - failed })}
        </p>`
  return html`<li class="entry">
    <p><strong>${title}</strong></p>
    <p class="quiet">${name} · ${t(one.overwrite ? 'imports.overwrite' : 'imports.merge')}</p>
    ${state}
    ${failed > 0 && html`<p><a href="${PATH}/${id}/failures.csv">${t('imports.failures', { count: failed })}</a></p>`}
  </li>`
}
