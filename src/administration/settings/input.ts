import type { TextKey, Translator } from '../../platform/i18n/index.ts'
import { SETTINGS, type Setting, type SettingKey, type SettingValue } from '../../platform/settings/index.ts'
import { field, html, radios, submitAs, textArea, toggle, type Html } from '../../platform/ui/index.ts'
import { MARKDOWN, REQUIRED } from './pages.ts'

/** The value of a setting in a form: the text of its field; for a checkbox `1` or `0`. */
export type Entry = string

/** A text longer than this has a text area. */
const LINE_CHARACTERS = 2000
const LONG_ROWS = 10
const SHORT_ROWS = 4

/** The settings whose values have the same labels. */
const SHARED_LABELS: readonly (readonly [keys: RegExp, prefix: string])[] = [
  [/_feed_access$/, 'site_setting.access'],
  [/^show_domain_blocks/, 'site_setting.audience'],
]

/** The entry of a form for a stored value. */
export function entryOf(value: SettingValue): Entry {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value === null) return ''
  return typeof value === 'object' ? value.join('\n') : String(value)
}

export const labelOf = (key: SettingKey): TextKey => `site_setting.${key}`

function hintOf(key: SettingKey, { t }: Translator): string {
  const hint = t(`site_setting.${key}.hint`)
  return MARKDOWN.has(key) ? t('site_settings.markdown', { hint }) : hint
}

function labelOfValue(key: SettingKey, value: string, translator: Translator): string {
  const prefix = SHARED_LABELS.find(([keys]) => keys.test(key))?.[1] ?? `site_setting.${key}`
  const label = `${prefix}.${value}`
  return translator.has(label) ? translator.t(label) : value
}

/** The field of a setting, of the type that the catalogue declares. */
export function input(
  translator: Translator,
  key: SettingKey,
  entry: Entry,
  errors: readonly string[] | undefined,
): Html {
  const { t } = translator
  const setting: Setting = SETTINGS[key]
  const shared = { label: t(labelOf(key)), name: `settings[${key}]`, hint: hintOf(key, translator), errors }
  switch (setting.type) {
    case 'boolean':
      return toggle({ ...shared, checked: entry === '1' })
    case 'choice':
      return radios({
        legend: shared.label,
        name: shared.name,
        hint: shared.hint,
        errors,
        choices: setting.values.map(value => [value, labelOfValue(key, value, translator)] as const),
        value: entry,
      })
    case 'integer':
      return field({ ...shared, type: 'number', value: entry, min: setting.min, max: setting.max })
    case 'names':
      return textArea({ ...shared, value: entry, rows: SHORT_ROWS })
    case 'text':
      return textInput(translator, key, setting, entry, shared)
  }
}

interface Shared {
  readonly label: string
  readonly name: string
  readonly hint: string
  readonly errors: readonly string[] | undefined
}

function textInput(
  { t }: Translator,
  key: SettingKey,
  { maxLength, format }: Setting & { type: 'text' },
  entry: Entry,
  shared: Shared,
): Html {
  if (maxLength > LINE_CHARACTERS) {
    const area = textArea({ ...shared, value: entry, maxLength, rows: LONG_ROWS })
    if (!MARKDOWN.has(key)) return area
    return html`${area}
      <p class="below">${submitAs('preview', key, t('site_settings.preview', { label: shared.label }))}</p>`
  }
  const type = format === 'email' || format === 'url' ? format : 'text'
  return field({
    ...shared,
    type,
    value: entry,
    maxLength,
    required: REQUIRED.has(key),
    verbatim: format !== undefined,
  })
}
