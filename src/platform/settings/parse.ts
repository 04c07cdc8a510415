import {
  isSettingKey,
  SETTINGS,
  TIMELINE_PREVIEW,
  type Setting,
  type SettingKey,
  type SettingValue,
} from './catalogue.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** The error of a value; pages translate it. */
export type SettingErrorCode =
  | 'unknown'
  | 'environment'
  | 'boolean'
  | 'choice'
  | 'integer'
  | 'names'
  | 'text'
  | 'too_long'
  | 'too_many'
  | 'email'
  | 'url'
  | 'name'

/** An unknown key or an invalid value; the message is one line for the operator. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting'
  readonly code: SettingErrorCode
  /** The limits and the part of the input that the message is about. */
  readonly values: Readonly<Record<string, string | number>>

  constructor(message: string, code: SettingErrorCode, values: Readonly<Record<string, string | number>> = {}) {
    super(message)
    this.code = code
    this.values = values
  }
}

/** The values to store, by key. */
export type SettingChanges = Readonly<Partial<Record<SettingKey, SettingValue>>>

const TRUE = new Set(['true', 'on', 'yes', '1'])
const FALSE = new Set(['false', 'off', 'no', '0'])
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?(@[a-z0-9.-]+(:\d+)?)?$/i
const EMAIL = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/
const MAX_NAMES = 100

const FORMATS = {
  email: { test: (text: string) => EMAIL.test(text), must: 'be an e-mail address' },
  url: {
    test: (text: string) => /^https?:\/\//.test(text) && parseUrl(text) !== undefined,
    must: 'be an http or https URL',
  },
  name: { test: (text: string) => NAME.test(text), must: 'be user or user@domain' },
} as const

/** The stored form of a name: without the leading @. */
const bareName = (text: string): string => text.trim().replace(/^@/, '')

function parseText(key: string, setting: Setting & { type: 'text' }, value: string): string {
  if (value.includes('\0') || !value.isWellFormed()) throw new InvalidSetting(`${key} must be plain text`, 'text')
  const text = setting.format === 'name' ? bareName(value) : setting.format ? value.trim() : value
  if (text.length > setting.maxLength && Array.from(text).length > setting.maxLength) {
    throw new InvalidSetting(`${key} must have at most ${setting.maxLength} characters`, 'too_long', {
      max: setting.maxLength,
    })
  }
  if (setting.format && text !== '' && !FORMATS[setting.format].test(text)) {
    throw new InvalidSetting(`${key} must ${FORMATS[setting.format].must}, or blank`, setting.format)
  }
  return text
}

function parseNames(key: string, value: readonly unknown[]): readonly string[] {
  const names = new Set<string>()
  for (const item of value) {
    const name = typeof item === 'string' ? bareName(item) : ''
    if (!NAME.test(name)) {
      const entry = String(item)
      throw new InvalidSetting(`${key} must be a list of user or user@domain, not "${entry}"`, 'names', { name: entry })
    }
    names.add(name)
  }
  if (names.size > MAX_NAMES) {
    throw new InvalidSetting(`${key} must have at most ${MAX_NAMES} names`, 'too_many', { max: MAX_NAMES })
  }
  return [...names]
}

/**
 * Parses a value from JSON; see `readText` for texts.
 * @throws InvalidSetting
 */
export function parseValue(key: SettingKey, value: unknown): SettingValue {
  const setting: Setting = SETTINGS[key]
  switch (setting.type) {
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw new InvalidSetting(`${key} must be true or false`, 'boolean')
    case 'choice': {
      const found = setting.values.find(known => known === value)
      if (found !== undefined) return found
      throw new InvalidSetting(`${key} must be one of ${setting.values.join(', ')}`, 'choice')
    }
    case 'integer':
      if (value === null) return null
      if (typeof value === 'number' && Number.isInteger(value) && value >= setting.min && value <= setting.max) {
        return value
      }
      throw new InvalidSetting(
        `${key} must be a whole number from ${setting.min} to ${setting.max}, or blank`,
        'integer',
        { min: setting.min, max: setting.max },
      )
    case 'names':
      if (Array.isArray(value)) return parseNames(key, value)
      throw new InvalidSetting(`${key} must be a list of user or user@domain`, 'names', { name: String(value) })
    case 'text':
      if (typeof value === 'string') return parseText(key, setting, value)
      throw new InvalidSetting(`${key} must be a text`, 'text')
  }
}

function readBoolean(key: string, text: string): boolean {
  const word = text.trim().toLowerCase()
  if (TRUE.has(word)) return true
  if (FALSE.has(word)) return false
  throw new InvalidSetting(`${key} must be true or false, not "${text}"`, 'boolean')
}

/** Converts a text from the command line or a form for this setting; `parseValue` validates it. */
function readText(key: SettingKey, text: string): unknown {
  const setting: Setting = SETTINGS[key]
  const word = text.trim()
  switch (setting.type) {
    case 'boolean':
      return readBoolean(key, text)
    case 'choice':
      return word
    case 'integer':
      return word === '' ? null : /^\d{1,15}$/.test(word) ? Number(word) : word
    case 'names':
      return word.split(/[\s,]+/).filter(name => name !== '')
    case 'text':
      return text
  }
}

const previewChanges = (shown: boolean): SettingChanges =>
  Object.fromEntries(TIMELINE_PREVIEW.map(key => [key, shown ? 'public' : 'authenticated']))

/**
 * The changes for setting `key` to `value`: one key, or the four behind `timeline_preview`.
 * @throws InvalidSetting
 */
export function parseChange(key: string, value: unknown): SettingChanges {
  if (key === 'timeline_preview') {
    if (typeof value === 'boolean') return previewChanges(value)
    throw new InvalidSetting('timeline_preview must be true or false', 'boolean')
  }
  if (!isSettingKey(key)) throw new InvalidSetting(`there is no setting "${key}"`, 'unknown')
  return { [key]: parseValue(key, value) }
}

/**
 * Parses a text from the command line or a form; lists are separated by commas, a blank integer is
 * null.
 * @throws InvalidSetting
 */
export function parseSetting(key: string, text: string): SettingValue {
  if (key === 'timeline_preview') return readBoolean(key, text)
  if (!isSettingKey(key)) throw new InvalidSetting(`there is no setting "${key}"`, 'unknown')
  return parseValue(key, readText(key, text))
}
