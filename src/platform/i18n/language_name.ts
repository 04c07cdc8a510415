import { LANGUAGES } from '../../core/languages/index.ts'
import type { TextLanguage } from './translator.ts'

const names = new Map<TextLanguage, Intl.DisplayNames>()
const english = new Map(LANGUAGES.map(({ code, name }) => [code, name]))

function displayNamesFor(reader: TextLanguage): Intl.DisplayNames {
  let found = names.get(reader)
  if (!found) names.set(reader, (found = new Intl.DisplayNames(reader, { type: 'language', fallback: 'none' })))
  return found
}

/** The name of a language in the reader's language, else in English; the code if it is unknown. */
export function languageName(code: string, reader: TextLanguage): string {
  try {
    return displayNamesFor(reader).of(code) ?? english.get(code) ?? code
  } catch {
    // Not a tag that ECMA-402 accepts, such as zh-YUE.
    return english.get(code) ?? code
  }
}
