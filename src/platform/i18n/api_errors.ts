import sentences from './texts/en/api_errors.json' with { type: 'json' }
import type { Translator } from './translator.ts'

type SentenceKey = keyof typeof sentences

const LABEL = 'sentence.label.'

interface Pattern {
  readonly key: SentenceKey
  /** Matches the whole sentence; its groups are the values. */
  readonly matches: RegExp
}

/** The keys of the names of fields, by their English names. */
const labels = new Map<string, SentenceKey>()
const patterns: Pattern[] = []

for (const key of Object.keys(sentences) as SentenceKey[]) {
  const text = sentences[key]
  if (key.startsWith(LABEL)) labels.set(text, key)
  else patterns.push({ key, matches: patternOf(text) })
}

/** In the order of the file: sentences with a name of a field come after those without. */
function patternOf(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 'u')
}

/**
 * An error message of the API in the reader's language, without "Validation failed: ". Several are
 * joined by commas; one that has no translation stays English.
 */
export function translateError(message: string, translator: Translator): string {
  const sentence = message.replace(/^Validation failed: /, '')
  if (translator.language === 'en') return sentence
  const whole = translateKnown(sentence, translator)
  if (whole !== undefined) return whole
  return sentence
    .split(', ')
    .map(part => translateKnown(part, translator) ?? part)
    .join(', ')
}

/**
 * Translates a sentence of the API, or its predicate without the name of the field; undefined when
 * the catalogue does not contain it.
 */
export function translateKnown(sentence: string, { t }: Translator): string | undefined {
  for (const { key, matches } of patterns) {
    const found = matches.exec(sentence)
    if (!found) continue
    const { label, ...values } = found.groups ?? {}
    if (label === undefined) return t(key, values)
    const known = labels.get(label)
    // An unknown name may be the end of another sentence.
    if (known === undefined && label.includes(', ')) return undefined
    return t(key, { ...values, label: known === undefined ? label : t(known) })
  }
  return undefined
}
