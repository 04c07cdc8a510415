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

/** The first known language of an Accept-Language header. */
export function preferredLanguage(header: string): string | undefined {
  for (const part of header.split(',')) {
    const tag = part.split(';', 1)[0]?.trim() ?? ''
    const found = tag === '' || tag === '*' ? undefined : findLanguage(tag)
    if (found !== undefined) return found
  }
  return undefined
}
