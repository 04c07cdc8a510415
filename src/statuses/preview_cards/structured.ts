/** Types of schema.org whose facts become a card. */
const ARTICLE_TYPES = /(?:Article|Posting|Report|Review|Recipe)$/

/** The limits of scripts and things; the rest of a page is not read. */
const MAX_SCRIPTS = 8
const MAX_THINGS = 100

/**
 * The facts of a page's article in JSON-LD, under names such as `ld:headline`; empty when there are
 * none or they are invalid.
 * @param scripts the texts of its `application/ld+json`
 */
export function readStructured(scripts: readonly string[]): ReadonlyMap<string, string> {
  const things = scripts.slice(0, MAX_SCRIPTS).flatMap(thingsIn)
  const article = things.find(thing => textsOf(thing['@type']).some(type => ARTICLE_TYPES.test(type)))
  if (!article) return new Map()
  const { headline, name, description, inLanguage, datePublished, author, publisher, image } = article
  const properties = {
    'ld:headline': textsOf(headline)[0] ?? textsOf(name)[0],
    'ld:description': textsOf(description)[0],
    'ld:language': textsOf(inLanguage)[0],
    'ld:published': textsOf(datePublished)[0],
    'ld:author': memberOf(author, 'name'),
    'ld:publisher': memberOf(publisher, 'name'),
    'ld:image': memberOf(image, 'url'),
  }
  return new Map(
    Object.entries(properties).flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as const])),
  )
}

type Thing = Readonly<Record<string, unknown>>

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const textsOf = (value: unknown): string[] => listOf(value).filter(isText)

/** A script without the `<![CDATA[` in which old templates hide it from XML, often in comments. */
function withoutCdata(script: string): string {
  const start = script.indexOf('<![CDATA[')
  const end = script.lastIndexOf(']]>')
  if (start < 0 || end < start || /[[{]/.test(script.slice(0, start))) return script
  return script
    .slice(start + '<![CDATA['.length, end)
    .trim()
    .replace(/^\*\//, '')
    .replace(/\/[/*]$/, '')
}

/** The things of a script: a single thing, a list, or a graph. */
function thingsIn(script: string): Thing[] {
  let value: unknown
  try {
    value = JSON.parse(withoutCdata(script))
  } catch {
    return []
  }
  const top = listOf(value).slice(0, MAX_THINGS).filter(isThing)
  return [...top, ...top.flatMap(thing => listOf(thing['@graph']).slice(0, MAX_THINGS).filter(isThing))]
}

/** A text, or this member of a thing; the first of a list. */
function memberOf(value: unknown, name: string): string | undefined {
  const [first] = listOf(value)
  return textsOf(isThing(first) ? first[name] : first)[0]
}
