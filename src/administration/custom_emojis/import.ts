import { readFile } from 'node:fs/promises'
import { countCodePoints } from '../../core/text/index.ts'
import { importEmojis, UnsuitableArchive, type ImportedEmojis } from '../../media/custom_emojis/index.ts'
import { param } from '../../platform/http/index.ts'
import { checkbox, field, form, html, submit, type Html } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { MAX_CATEGORY_CHARACTERS, PATH } from './pages.ts'

const permissions = ['manage_custom_emojis'] as const
const IMPORT_PATH = `${PATH}/import`
const MEBIBYTE = 1024 ** 2
/** The limits of an archive: about a thousand emojis of usual size, which fit in memory. */
const MAX_ARCHIVE_BYTES = 64 * MEBIBYTE
const MAX_UNPACKED_BYTES = 256 * MEBIBYTE
/** The allowance for the other fields of the form. */
const FORM_BYTES = MEBIBYTE
const MAX_AFFIX_CHARACTERS = 60
/** The maximum number of failed files that the page names. */
const MAX_NAMED_FILES = 100

interface ImportInput {
  readonly prefix: string
  readonly suffix: string
  readonly category: string
  readonly listed: boolean
  readonly overwrite: boolean
}

const EMPTY: ImportInput = { prefix: '', suffix: '', category: '', listed: true, overwrite: false }

function importPage(
  { t, webSession }: Staff,
  input: ImportInput = EMPTY,
  { alert, status, failed }: { alert?: string; status?: number; failed?: Html | undefined } = {},
): StaffPage {
  const affix = (name: 'prefix' | 'suffix') =>
    field({
      label: t(`emojis.import.${name}`),
      name,
      value: input[name],
      maxLength: MAX_AFFIX_CHARACTERS,
      verbatim: true,
    })
  return {
    title: t('emojis.import.title'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('emojis.title')]],
    alert,
    ...(status !== undefined && { status }),
    body: html`${failed}
      <div class="card section">
        ${form({ action: IMPORT_PATH, csrfToken: webSession.csrfToken(), multipart: true }, [
          field({
            label: t('emojis.import.archive'),
            name: 'archive',
            type: 'file',
            accept: '.tar,.tar.gz,.tgz,application/gzip,application/x-tar',
            required: true,
            hint: t('emojis.import.archive_hint', { mebibytes: MAX_ARCHIVE_BYTES / MEBIBYTE }),
          }),
          affix('prefix'),
          affix('suffix'),
          field({
            label: t('emojis.category'),
            name: 'category',
            value: input.category,
            maxLength: MAX_CATEGORY_CHARACTERS,
          }),
          checkbox({ label: t('emojis.listed'), name: 'listed', required: false, checked: input.listed }),
          checkbox({
            label: t('emojis.import.overwrite'),
            name: 'overwrite',
            required: false,
            checked: input.overwrite,
          }),
          submit(t('emojis.import.submit')),
        ])}
      </div>`,
  }
}

/** The list of files that were not imported, each with the reason. */
const failureList = ({ t }: Staff, { failed }: ImportedEmojis): Html | undefined =>
  failed.length === 0
    ? undefined
    : html`<ul class="entries">
        ${failed.slice(0, MAX_NAMED_FILES).map(({ file, error }) => html`<li class="entry"><bdi class="code">${file}</bdi> ${t(`emojis.error.${error?.code ?? 'shortcode'}`)}</li>`)}
      </ul>`

const showImport = staffView({
  path: IMPORT_PATH,
  summary: 'Show the form that imports an archive of custom emojis',
  permissions,
  params: {},
  show: (_, staff) => importPage(staff),
})

const text = param.string({ default: '', trim: true })
const flag = param.boolean({ default: false })

const importArchive = staffForm({
  path: IMPORT_PATH,
  summary: 'Import the images of an archive as custom emojis',
  permissions,
  bodyLimitBytes: MAX_ARCHIVE_BYTES + FORM_BYTES,
  params: {
    archive: param.upload({ optional: true }),
    prefix: text,
    suffix: text,
    category: text,
    listed: flag,
    overwrite: flag,
  },
  async act({ archive, ...input }, staff) {
    const { context, viewer, t } = staff
    if (!archive || archive.sizeBytes === 0) return importPage(staff, input, { alert: t('emojis.import.no_archive') })
    if (countCodePoints(input.category) > MAX_CATEGORY_CHARACTERS)
      return importPage(staff, input, {
        alert: `${t('emojis.category')} ${t('form_error.ERR_TOO_LONG', { count: MAX_CATEGORY_CHARACTERS })}`,
      })
    const archiveBytes = typeof archive.content === 'string' ? await readFile(archive.content) : archive.content
    try {
      const result = await importEmojis(context, viewer.id, archiveBytes, {
        prefix: input.prefix,
        suffix: input.suffix,
        category: input.category === '' ? null : input.category,
        isListed: input.listed,
        overwrites: input.overwrite,
        maxBytes: MAX_UNPACKED_BYTES,
      })
      const { imported, skipped, failed } = result
      const notice = t('emojis.import.done', { imported, skipped, failed: failed.length })
      if (failed.length === 0) return { to: PATH, notice }
      return importPage(staff, input, { alert: notice, status: 200, failed: failureList(staff, result) })
    } catch (error) {
      if (!(error instanceof UnsuitableArchive)) throw error
      return importPage(staff, input, { alert: t('emojis.import.no_archive') })
    }
  },
})

export const importOperations = [showImport, importArchive]
