import { LANGUAGES } from '../../core/languages/index.ts'
import type { TextLanguage } from './translator.ts'

type Labels = readonly (readonly [code: string, label: string])[]

const cached = new Map<TextLanguage, Labels>()

/** The languages of posts, each with its own name and the reader's, for choosing among them. */
export function languageLabels(reader: TextLanguage): Labels {
  let labels = cached.get(reader)
  if (!labels) cached.set(reader, (labels = makeLabels(reader)))
  return labels
}

function makeLabels(reader: TextLanguage): Labels {
  const names = new Intl.DisplayNames(reader, { type: 'language', fallback: 'none' })
  return LANGUAGES.map(({ code, name, native }) => {
    const translated = (reader !== 'en' && nameOf(names, code)) || name
    return [code, translated.toLowerCase() === native.toLowerCase() ? native : `${native} (${translated})`]
  })
}

function nameOf(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code)
  } catch {
    // Not a tag of BCP 47, such as zh-YUE: it keeps its English name.
    return undefined
  }
}
