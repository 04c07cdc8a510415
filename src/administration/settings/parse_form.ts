import { findByHandle } from '../../accounts/index.ts'
import {
  InvalidSetting,
  parseSetting,
  type Settings,
  type SettingKey,
  type SettingValue,
} from '../../platform/settings/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { Entry } from './setting_field.ts'
import { REQUIRED_SETTINGS } from './page_contents.ts'

/** A submitted form. */
export interface ParsedForm {
  readonly entries: ReadonlyMap<SettingKey, Entry>
  /** The parsed values of the valid entries. */
  readonly values: Readonly<Partial<Record<SettingKey, SettingValue>>>
  /** Translated error messages. */
  readonly errors: ReadonlyMap<SettingKey, readonly string[]>
}

/** A submitted entry; undefined if it was not sent. */
const readEntry = (sent: Readonly<Record<string, unknown>>, key: SettingKey): Entry | undefined => {
  const value = Object.hasOwn(sent, key) ? sent[key] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Parses and validates the settings of a page; those that were not submitted stay unchanged. */
export async function parseForm(
  services: Services,
  translator: Translator,
  keys: readonly SettingKey[],
  sent: Readonly<Record<string, unknown>>,
): Promise<ParsedForm> {
  const entries = new Map<SettingKey, Entry>()
  const values: Partial<Record<SettingKey, SettingValue>> = {}
  const errors = new Map<SettingKey, readonly string[]>()
  for (const key of keys) {
    const entry = readEntry(sent, key)
    if (entry === undefined) continue
    entries.set(key, entry)
    try {
      const value = parseSetting(key, entry)
      values[key] = value
      const error = await checkValue(services, translator, key, value)
      if (error !== undefined) errors.set(key, [error])
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      errors.set(key, [translator.t(`site_settings.error.${error.code}`, error.values)])
    }
  }
  return { entries, values, errors }
}

/** The values that differ from the current ones. */
export function findChanges({ values }: ParsedForm, settings: Settings): Readonly<Record<string, SettingValue>> {
  const current = new Map<string, string>(settings.list().map(({ key, value }) => [key, JSON.stringify(value)]))
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => current.get(key) !== JSON.stringify(value)))
}

/** The environment variable that overrides a setting. */
export const findVariable = (settings: Settings, key: SettingKey): string | undefined =>
  settings.list().find(listed => listed.key === key)?.variable

/** Validates the form beyond the catalogue: required texts, existing accounts. */
async function checkValue(
  services: Services,
  { t }: Translator,
  key: SettingKey,
  value: SettingValue,
): Promise<string | undefined> {
  const variable = findVariable(services.settings, key)
  if (variable !== undefined && value !== services.settings.get(key))
    return t('site_settings.error.environment', { variable })
  if (REQUIRED_SETTINGS.has(key) && value === '') return t('site_settings.error.blank')
  if (key === 'captcha_enabled' && value === true && services.config.hcaptcha === undefined)
    return t('site_settings.error.captcha')
  const names = typeof value === 'object' && value !== null ? value : key === 'site_contact_username' ? [value] : []
  const missing: string[] = []
  for (const name of names) {
    if ((await findByHandle(services, String(name))) === undefined) missing.push(String(name))
  }
  return missing.length > 0 ? t('site_settings.error.no_account', { names: missing.join(', ') }) : undefined
}
