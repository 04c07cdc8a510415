import languages from './languages.json' with { type: 'json' }

/** A language of statuses and people: an ISO 639-1, ISO 639-3 or regional code. */
export interface Language {
  readonly code: string
  readonly name: string
  readonly native: string
}

/** In the order of GET /api/v1/instance/languages. */
export const LANGUAGES: readonly Language[] = languages

const KNOWN = new Set(LANGUAGES.map(({ code }) => code))

/**
 * The known code for a tag such as `de-AT` or `zh_CN`: the code itself, else its language;
 * undefined when both are unknown.
 */
export function findLanguage(tag: string): string | undefined {
  const code = tag.trim().replaceAll('_', '-')
  if (KNOWN.has(code)) return code
  const [language = '', region] = code.split('-')
  const lower = language.toLowerCase()
  const regional = region === undefined ? lower : `${lower}-${region.toUpperCase()}`
  if (KNOWN.has(regional)) return regional
  return KNOWN.has(lower) ? lower : undefined
}

/**
 * The tags of an Accept-Language header, the most wanted first, without refused ones (RFC 9110,
 * section 12.5.4). A single code is such a header, too.
 */
export function acceptedLanguages(header: string): string[] {
  const wanted = header.split(',').map(part => {
    const [tag = '', ...parameters] = part.split(';').map(one => one.trim())
    const weight = Number(parameters.find(one => /^q=/i.test(one))?.slice('q='.length) ?? 1)
    return { tag, weight: Number.isNaN(weight) ? 1 : weight }
  })
  return wanted
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

/** The most wanted known language of an Accept-Language header. */
export function preferredLanguage(header: string): string | undefined {
  for (const tag of acceptedLanguages(header)) {
    const found = findLanguage(tag)
    if (found !== undefined) return found
  }
  return undefined
}
