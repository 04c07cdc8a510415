import { LANGUAGES } from '../../core/languages/index.ts'
import { languageName } from './language_name.ts'
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
  return LANGUAGES.map(({ code, name, native }) => {
    const translated = reader === 'en' ? name : languageName(code, reader)
    return [code, translated.toLowerCase() === native.toLowerCase() ? native : `${native} (${translated})`]
  })
}
