import { findLanguage } from '../../core/languages/index.ts'
import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }
import french from './fr.json' with { type: 'json' }

/**
 * The key of a text. New keys are added to English; the other files must have the same keys
 * (TypeScript reports missing ones).
 */
export type TextKey = keyof typeof english

const TEXTS = { en: english, de: german, fr: french } as const satisfies Record<
  string,
  Readonly<Record<TextKey, string>>
>

export type TextLanguage = keyof typeof TEXTS

/** The languages of pages and e-mails, with their own names. */
export const TEXT_LANGUAGES: Readonly<Record<TextLanguage, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' }

/** The values of `{name}` in a text. */
export type Values = Readonly<Record<string, string | number>>

/** Translates into one language. */
export interface Translator {
  readonly language: TextLanguage
  /**
   * The text with its values; a `{name}` without a value is not changed, for text that is not
   * plain.
   */
  t(key: TextKey, values?: Values): string
  /** Whether there is such a text, for keys composed at run time. */
  has(key: string): key is TextKey
}

const isTextLanguage = (code: string): code is TextLanguage => Object.hasOwn(TEXTS, code)

/**
 * The first supported language among the wanted ones, else English.
 * @param wanted codes such as `de-AT`, or whole Accept-Language headers; the most important first
 */
export function chooseLanguage(...wanted: readonly (string | null | undefined)[]): TextLanguage {
  for (const part of wanted.flatMap(one => one?.split(',') ?? [])) {
    const language = findLanguage(part.split(';', 1)[0] ?? '')?.split('-')[0]
    if (language !== undefined && isTextLanguage(language)) return language
  }
  return 'en'
}

export function translator(language: TextLanguage): Translator {
  const texts: Readonly<Record<TextKey, string>> = TEXTS[language]
  return {
    language,
    t: (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place)),
    has: (key): key is TextKey => Object.hasOwn(texts, key),
  }
}
