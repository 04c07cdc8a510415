import type { TextKey, Translator } from '../../platform/i18n/index.ts'
import { SETTINGS, type Setting, type SettingKey, type SettingValue } from '../../platform/settings/index.ts'
import { field, html, radios, submitAs, textArea, toggle, type Html } from '../../platform/ui/index.ts'
import { MARKDOWN_SETTINGS, REQUIRED_SETTINGS } from './page_contents.ts'

/** The value of a setting in a form: the text of its field; for a checkbox `1` or `0`. */
export type Entry = string

/** A setting that may be longer has a text area. */
const MAX_FIELD_CHARACTERS = 2000
const LONG_ROWS = 10
const SHORT_ROWS = 4

/** The prefixes of labels that several settings share. */
const SHARED_LABELS: readonly (readonly [keys: RegExp, prefix: string])[] = [
  [/_feed_access$/, 'site_setting.access'],
  [/^show_domain_blocks/, 'site_setting.audience'],
]

/** The entry of a form for a stored value. */
export function formatEntry(value: SettingValue): Entry {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value === null) return ''
  return typeof value === 'object' ? value.join('\n') : String(value)
}

export const labelKey = (key: SettingKey): TextKey => `site_setting.${key}`

function settingHint(key: SettingKey, { t }: Translator): string {
  const hint = t(`site_setting.${key}.hint`)
  return MARKDOWN_SETTINGS.has(key) ? t('site_settings.markdown', { hint }) : hint
}

function valueLabel(key: SettingKey, value: string, translator: Translator): string {
  const prefix = SHARED_LABELS.find(([keys]) => keys.test(key))?.[1] ?? `site_setting.${key}`
  const label = `${prefix}.${value}`
  return translator.has(label) ? translator.t(label) : value
}

/** The form field of a setting, chosen by its type in the catalogue. */
export function settingField(
  translator: Translator,
  key: SettingKey,
  entry: Entry,
  errors: readonly string[] | undefined,
): Html {
  const { t } = translator
  const setting: Setting = SETTINGS[key]
  const common = { label: t(labelKey(key)), name: `settings[${key}]`, hint: settingHint(key, translator), errors }
  switch (setting.type) {
    case 'boolean':
      return toggle({ ...common, checked: entry === '1' })
    case 'choice':
      return radios({
        legend: common.label,
        name: common.name,
        hint: common.hint,
        errors,
        choices: setting.values.map(value => [value, valueLabel(key, value, translator)] as const),
        value: entry,
      })
    case 'integer':
      return field({ ...common, type: 'number', value: entry, min: setting.min, max: setting.max })
    case 'names':
      return textArea({ ...common, value: entry, rows: SHORT_ROWS })
    case 'text':
      return textInput(translator, key, setting, entry, common)
  }
}

interface CommonFields {
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
  common: CommonFields,
): Html {
  if (maxLength > MAX_FIELD_CHARACTERS) {
    const area = textArea({ ...common, value: entry, maxLength, rows: LONG_ROWS })
    if (!MARKDOWN_SETTINGS.has(key)) return area
    return html`${area}
      <p class="below">${submitAs('preview', key, t('site_settings.preview', { label: common.label }))}</p>`
  }
  const type = format === 'email' || format === 'url' ? format : 'text'
  return field({
    ...common,
    type,
    value: entry,
    maxLength,
    required: REQUIRED_SETTINGS.has(key),
    verbatim: format !== undefined,
  })
}
