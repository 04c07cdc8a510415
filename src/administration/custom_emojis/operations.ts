import { readFile } from 'node:fs/promises'
import type { Id } from '../../core/id.ts'
import { countCodePoints } from '../../core/text/index.ts'
import {
  changeEmojis,
  copyEmojis,
  deleteEmojis,
  featureEmoji,
  isShortcode,
  saveEmoji,
  UnsuitablePicture,
} from '../../media/custom_emojis/index.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import { staffForm, staffView, type Staff } from '../index.ts'
import { exportEmojis } from './export.ts'
import { importOperations } from './import.ts'
import { purgeOperations } from './purge.ts'
import { listPage, MAX_CATEGORY_CHARACTERS, PATH, uploadPage, type Draft, type DraftErrors } from './pages.ts'

const permissions = ['manage_custom_emojis'] as const
const text = param.string({ default: '', trim: true })
const flag = param.boolean({ default: false })
const MAX_SELECTED = 200

const showEmojis = staffView({
  path: PATH,
  summary: 'List the custom emojis of this server and of others',
  permissions,
  params: { remote: flag, shortcode: text, domain: text, max_id: param.cursor() },
  show: ({ max_id: before, domain, shortcode, remote }, staff) =>
    listPage(staff, { remote, before, shortcode: shortcode.replaceAll(':', ''), domain: domain.toLowerCase() }),
})

const newEmoji = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form that adds a custom emoji',
  permissions,
  params: {},
  show: (_, staff) => uploadPage(staff),
})

const upload = staffForm({
  path: PATH,
  summary: 'Add a custom emoji',
  permissions,
  params: {
    emoji: param.object(
      { shortcode: text, image: param.upload({ optional: true }), category: text, listed: flag, overwrite: flag },
      { missing: 400 },
    ),
  },
  async act({ emoji: { image, ...fields } }, staff) {
    const { context, viewer, t } = staff
    const draft: Draft = { ...fields, shortcode: fields.shortcode.replace(/^:(.*):$/, '$1') }
    const showErrors = (errors: DraftErrors) => uploadPage(staff, draft, errors)
    if (!isShortcode(draft.shortcode)) return showErrors({ shortcode: t('emojis.error.shortcode') })
    if (countCodePoints(draft.category) > MAX_CATEGORY_CHARACTERS)
      return showErrors({ category: t('form_error.ERR_TOO_LONG', { count: MAX_CATEGORY_CHARACTERS }) })
    if (!image || image.sizeBytes === 0) return showErrors({ image: t('form_error.ERR_BLANK') })
    try {
      const saved = await saveEmoji(context, viewer.id, {
        shortcode: draft.shortcode,
        bytes: typeof image.content === 'string' ? await readFile(image.content) : image.content,
        category: draft.category === '' ? null : draft.category,
        isListed: draft.listed,
        overwrites: draft.overwrite,
      })
      if (!saved) return showErrors({ shortcode: t('form_error.ERR_TAKEN') })
    } catch (error) {
      if (!(error instanceof UnsuitablePicture)) throw error
      return showErrors({ image: t(`emojis.error.${error.code}`) })
    }
    return { to: PATH, notice: t('emojis.added') }
  },
})

const CHANGES = ['categorize', 'feature', 'list', 'unlist', 'enable', 'disable', 'delete', 'copy'] as const

/** Applies a change to the selected emojis and returns how many were changed. */
function applyChange(
  change: (typeof CHANGES)[number],
  ids: readonly Id[],
  category: string,
  { context, viewer }: Staff,
): Promise<number> {
  switch (change) {
    case 'delete':
      return deleteEmojis(context, viewer.id, ids)
    case 'copy':
      return copyEmojis(context, viewer.id, ids)
    case 'categorize':
      return changeEmojis(context, viewer.id, ids, { change, category: category === '' ? null : category })
    case 'feature':
      return featureAll(ids, context, viewer.id)
    case 'list':
    case 'unlist':
    case 'enable':
    case 'disable':
      return changeEmojis(context, viewer.id, ids, { change })
  }
}

/** Features emojis one by one: of several in one category, the last one stays featured. */
async function featureAll(ids: readonly Id[], context: Staff['context'], moderator: Id): Promise<number> {
  let count = 0
  for (const id of ids) if (await featureEmoji(context, moderator, id)) count += 1
  return count
}

const changeSelected = staffForm({
  path: `${PATH}/batch`,
  summary: 'Change the selected custom emojis',
  permissions,
  params: {
    change: param.enumeration(CHANGES),
    ids: param.ids({ default: [], max: MAX_SELECTED, scalar: true }),
    category: text,
    back: param.string({ optional: true }),
  },
  async act({ change, ids, category, back }, staff) {
    const { t } = staff
    const to = back !== undefined && back.startsWith(`${PATH}?`) ? back : PATH
    if (ids.length === 0) return { to, alert: t('staff.batch.none') }
    if (countCodePoints(category) > MAX_CATEGORY_CHARACTERS)
      return {
        to,
        alert: `${t('emojis.category')} ${t('form_error.ERR_TOO_LONG', { count: MAX_CATEGORY_CHARACTERS })}`,
      }
    return { to, notice: t('staff.batch.done', { count: await applyChange(change, ids, category, staff) }) }
  },
})

export const operations: readonly AnyOperation[] = [
  showEmojis,
  newEmoji,
  upload,
  changeSelected,
  exportEmojis,
  ...importOperations,
  ...purgeOperations,
]
