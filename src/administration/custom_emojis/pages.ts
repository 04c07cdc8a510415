import type { Id } from '../../core/id.ts'
import { EMOJI_LIMIT_BYTES, listEmojis, type StoredEmoji } from '../../media/custom_emojis/index.ts'
import {
  badge,
  batch,
  checkbox,
  field,
  filterForm,
  filterLinks,
  form,
  hidden,
  href,
  html,
  linkButton,
  pageLinks,
  PREVIEW_SCRIPT,
  submit,
  type BatchButton,
  type Html,
} from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'

export const PATH = '/admin/custom_emojis'
export const EXPORT_PATH = `${PATH}/export.tar.gz`
const PAGE_SIZE = 50
const KIBIBYTE = 1024
const MAX_SHORTCODE_CHARACTERS = 128
export const MAX_CATEGORY_CHARACTERS = 100

/** The filter of the list. */
export interface EmojiFilter {
  readonly remote: boolean
  readonly shortcode: string
  readonly domain: string
  readonly before: Id | undefined
}

/** The emojis of this server or of others, with buttons that change the selected ones. */
export async function listPage(staff: Staff, filter: EmojiFilter): Promise<StaffPage> {
  const { context, t, translator, webSession } = staff
  const { remote, shortcode, domain, before } = filter
  const rows = await listEmojis(context.database, {
    isRemote: remote,
    shortcode: shortcode === '' ? undefined : shortcode,
    domain: remote && domain !== '' ? domain : undefined,
    before,
    limit: PAGE_SIZE + 1,
  })
  const page = rows.slice(0, PAGE_SIZE)
  const parameters = { remote: remote ? '1' : '', shortcode, domain: remote ? domain : '' }
  const path = href(PATH, parameters)
  return {
    title: t('emojis.title'),
    navigationPath: PATH,
    actions: [
      linkButton(`${PATH}/purge`, t('emojis.purge.title')),
      linkButton(EXPORT_PATH, t('emojis.export')),
      linkButton(`${PATH}/import`, t('emojis.import.title')),
      linkButton(`${PATH}/new`, t('emojis.new'), 'primary'),
    ],
    scripts: ['/assets/batch.js'],
    body: [
      filterLinks(t('emojis.title'), [
        { target: PATH, label: t('emojis.local'), current: !remote },
        { target: `${PATH}?remote=1`, label: t('emojis.remote'), current: remote },
      ]),
      filterForm(PATH, t('staff.filter'), [
        field({ label: t('emojis.shortcode'), name: 'shortcode', type: 'search', value: shortcode, verbatim: true }),
        remote && field({ label: t('emojis.domain'), name: 'domain', type: 'search', value: domain, verbatim: true }),
        remote && hidden('remote', '1'),
      ]),
      batch({
        action: `${PATH}/batch`,
        csrfToken: webSession.csrfToken(),
        translator,
        buttons: buttonsFor(staff, remote),
        fields: [
          hidden('back', path),
          !remote && field({ label: t('emojis.category'), name: 'category', maxLength: MAX_CATEGORY_CHARACTERS }),
        ],
        items: page.map(emoji => ({
          value: emoji.id,
          name: `:${emoji.shortcode}:`,
          content: emojiEntry(staff, emoji),
        })),
        empty: t('emojis.empty'),
      }),
      pageLinks(translator, {
        newer: before === undefined ? undefined : path,
        older: rows.length > PAGE_SIZE ? href(PATH, { ...parameters, max_id: page.at(-1)?.id }) : undefined,
      }),
    ],
  }
}

function buttonsFor({ t }: Staff, remote: boolean): BatchButton[] {
  const names = remote
    ? (['copy', 'enable', 'disable', 'delete'] as const)
    : (['categorize', 'feature', 'list', 'unlist', 'enable', 'disable', 'delete'] as const)
  return names.map(name => ({
    value: name,
    label: t(`emojis.${name}`),
    kind: name === 'delete' ? 'danger' : 'plain',
  }))
}

function emojiEntry({ context, t }: Staff, emoji: StoredEmoji): Html {
  const { shortcode, domain, category, featured, image, disabled, visible_in_picker: listed } = emoji
  return html`<div class="emoji-entry">
    <img src="${context.storage.url(image.key)}" alt="" width="32" height="32" loading="lazy" />
    <div>
      <bdi class="code">:${shortcode}:</bdi>
      ${domain !== null && html`<span class="quiet">${domain}</span>`}
      ${category !== null && html`<span class="quiet">${category}</span>`}
      ${featured && badge(t('emojis.featured'), 'good')} ${disabled && badge(t('emojis.disabled'), 'bad')}
      ${domain === null && !listed && badge(t('emojis.unlisted'))}
    </div>
  </div>`
}

/** The submitted form of a new emoji. */
export interface Draft {
  readonly shortcode: string
  readonly category: string
  readonly listed: boolean
  readonly overwrite: boolean
}

export type DraftErrors = Readonly<Partial<Record<'shortcode' | 'category' | 'image', string>>>

const EMPTY: Draft = { shortcode: '', category: '', listed: true, overwrite: false }

/** The form that uploads an emoji. */
export function uploadPage({ t, webSession }: Staff, draft: Draft = EMPTY, errors: DraftErrors = {}): StaffPage {
  const toList = (error: string | undefined): string[] | undefined => (error === undefined ? undefined : [error])
  return {
    title: t('emojis.new'),
    navigationPath: PATH,
    scripts: [PREVIEW_SCRIPT],
    breadcrumbs: [[PATH, t('emojis.title')]],
    body: html`<div class="card section">
      ${form({ action: PATH, csrfToken: webSession.csrfToken(), multipart: true }, [
        field({
          label: t('emojis.shortcode'),
          name: 'emoji[shortcode]',
          value: draft.shortcode,
          required: true,
          minLength: 2,
          maxLength: MAX_SHORTCODE_CHARACTERS,
          verbatim: true,
          hint: t('emojis.shortcode_hint'),
          errors: toList(errors.shortcode),
        }),
        field({
          label: t('emojis.image'),
          name: 'emoji[image]',
          type: 'file',
          accept: 'image/png,image/gif,image/webp,image/jpeg',
          preview: t('ui.preview'),
          required: true,
          hint: t('emojis.image_hint', { kibibytes: EMOJI_LIMIT_BYTES / KIBIBYTE }),
          errors: toList(errors.image),
        }),
        field({
          label: t('emojis.category'),
          name: 'emoji[category]',
          value: draft.category,
          maxLength: MAX_CATEGORY_CHARACTERS,
          hint: t('emojis.category_hint'),
          errors: toList(errors.category),
        }),
        checkbox({ label: t('emojis.listed'), name: 'emoji[listed]', required: false, checked: draft.listed }),
        checkbox({
          label: t('emojis.overwrite'),
          name: 'emoji[overwrite]',
          required: false,
          checked: draft.overwrite,
        }),
        submit(t('emojis.upload')),
      ])}
    </div>`,
  }
}
