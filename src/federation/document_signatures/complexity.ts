/*
 * JSON-LD is expensive to process: each blank node, each value and each term of a context that
 * counts for a node takes time, in parts its square, and the processor blocks the event loop. A
 * post with a hundred mentions and a hundred emojis has 400 objects. The measurements are in
 * DECISIONS.md.
 */
const MAX_OBJECTS = 500
const MAX_VALUES = 2000
/** Contexts that a document contains, at its top and below. */
const MAX_CONTEXTS = 4
const MAX_TERMS = 500

/** Of a fetched context, with the contexts inside it. */
const FETCHED = { contexts: 10, terms: 1000 } as const

interface Size {
  objects: number
  values: number
  contexts: number
  terms: number
}

const isWithin = ({ objects, values, contexts, terms }: Size, maximum: Size): boolean =>
  objects <= maximum.objects && values <= maximum.values && contexts <= maximum.contexts && terms <= maximum.terms

/** Adds the size of a value to the count, and stops when the maximum is exceeded. */
function measure(value: unknown, size: Size, maximum: Size, inContext: boolean): boolean {
  if (inContext) size.terms += 1
  else size.values += 1
  if (typeof value !== 'object' || value === null) return isWithin(size, maximum)
  if (Array.isArray(value)) return value.every(one => measure(one, size, maximum, inContext))
  if (!inContext) size.objects += 1
  return Object.entries(value).every(([name, member]) => {
    if (name === '@context') size.contexts += 1
    return measure(member, size, maximum, inContext || name === '@context')
  })
}

/** Whether a document is too large to be processed as JSON-LD; it is not nested deeply. */
export const isTooComplex = (document: object): boolean =>
  !measure(
    document,
    { objects: 0, values: 0, contexts: 0, terms: 0 },
    { objects: MAX_OBJECTS, values: MAX_VALUES, contexts: MAX_CONTEXTS, terms: MAX_TERMS },
    false,
  )

/** The deepest nesting of a fetched context. */
const MAX_DEPTH = 20

const isDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > MAX_DEPTH || Object.values(value).some(one => isDeep(one, depth + 1)))

/** Whether a context of another server is too large to be applied to many nodes. */
export const isLargeContext = (document: object): boolean =>
  isDeep(document) ||
  !measure(document, { objects: 0, values: 0, contexts: 0, terms: 0 }, { objects: 1, values: 100, ...FETCHED }, false)
