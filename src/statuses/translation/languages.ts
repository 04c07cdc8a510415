import type { LanguagePairs } from './backend.ts'

/** The key of texts in an unknown language. */
const UNKNOWN = 'und'

/** The language of a code with a region or script: `pt` of `pt-BR` and of `pt_BR`. */
export const languageOf = (code: string): string => code.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''

/**
 * What backends call languages of statuses: Norwegian is Bokmål to most; Cantonese is written in
 * traditional characters, and `zh-YUE` is no tag of BCP 47.
 */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['no', ['nb']],
  ['nb', ['no']],
  ['zh-YUE', ['yue', 'zh-Hant']],
  ['tl', ['fil']],
  ['fil', ['tl']],
])

/** Pairs without those within one language, and with the targets of an unknown source language. */
export function pairEach(listed: readonly (readonly [source: string, targets: readonly string[]])[]): LanguagePairs {
  const all = [...new Set(listed.flatMap(([, targets]) => targets))].sort()
  const pairs = listed.map(([source, targets]): [string, string[]] => [
    source,
    targets.filter(target => languageOf(target) !== languageOf(source)),
  ])
  return new Map<string, readonly string[]>([[UNKNOWN, all], ...pairs])
}

/** The names that a backend may use for a code, the closest first: `zh-CN`, `zh-Hans`, `zh`. */
function namesOf(code: string): string[] {
  const tag = code.replaceAll('_', '-')
  const language = languageOf(tag)
  const names = [tag, ...(OTHER_NAMES.get(tag) ?? [])]
  try {
    const { script } = new Intl.Locale(tag).maximize()
    return [...names, `${language}-${script ?? ''}`, language]
  } catch {
    // Not a valid code, but a backend may still know it.
    return [...names, language]
  }
}

const findName = (names: readonly string[], known: readonly string[]): string | undefined =>
  names.flatMap(name => known.find(one => one.toLowerCase() === name.toLowerCase()) ?? [])[0]

/**
 * The pair that fits, in the backend's codes; undefined when it has none. `source` null for an
 * unknown language.
 */
export function findPair(
  pairs: LanguagePairs,
  source: string | null,
  target: string,
): { source: string | null; target: string } | undefined {
  const from = source === null ? UNKNOWN : findName(namesOf(source), [...pairs.keys()])
  const to = from === undefined ? undefined : findName(namesOf(target), pairs.get(from) ?? [])
  if (from === undefined || to === undefined) return undefined
  return { source: from === UNKNOWN ? null : from, target: to }
}

/**
 * The pairs that clients see: they compare the codes of statuses, for which the backend has other
 * names.
 */
export function withOtherNames(pairs: LanguagePairs): LanguagePairs {
  const codes = [...OTHER_NAMES.keys()]
  const sources = [...pairs.keys()]
  const listed = new Map<string, readonly string[]>()
  for (const [source, targets] of pairs) {
    const others = codes.filter(code => findName(namesOf(code), targets) !== undefined)
    listed.set(source, [...new Set([...targets, ...others])].sort())
  }
  for (const code of codes) {
    const targets = listed.get(findName(namesOf(code), sources) ?? '')
    if (targets && !listed.has(code)) listed.set(code, targets)
  }
  return listed
}
