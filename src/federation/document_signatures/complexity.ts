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
/** Contexts that its contexts name. Each is processed each time that it is named. */
const MAX_NAMES = 10

/** Of a fetched context. */
const FETCHED = { contexts: 1, terms: 1000, names: 3 } as const

interface Size {
  objects: number
  values: number
  contexts: number
  terms: number
  names: number
}

const isWithin = (size: Size, maximum: Size): boolean =>
  size.objects <= maximum.objects &&
  size.values <= maximum.values &&
  size.contexts <= maximum.contexts &&
  size.terms <= maximum.terms &&
  size.names <= maximum.names

/**
 * Adds the size of a context to the count. A context for one term or type inside it is refused,
 * because it is applied to each object that has the term or type.
 */
function measureContext(context: unknown, size: Size, maximum: Size): boolean {
  size.terms += 1
  if (typeof context === 'string') size.names += 1
  if (typeof context !== 'object' || context === null) return isWithin(size, maximum)
  if (Array.isArray(context)) return context.every(one => measureContext(one, size, maximum))
  return Object.entries(context).every(([name, term]) => {
    if (name === '@import') size.names += 1
    return measureTerm(term, size, maximum)
  })
}

function measureTerm(term: unknown, size: Size, maximum: Size): boolean {
  size.terms += 1
  if (typeof term !== 'object' || term === null) return isWithin(size, maximum)
  return Object.entries(term).every(([name, member]) => name !== '@context' && measureTerm(member, size, maximum))
}

/** Adds the size of a value to the count, and stops when the maximum is exceeded. */
function measure(value: unknown, size: Size, maximum: Size): boolean {
  size.values += 1
  if (typeof value !== 'object' || value === null) return isWithin(size, maximum)
  if (Array.isArray(value)) return value.every(one => measure(one, size, maximum))
  size.objects += 1
  return Object.entries(value).every(([name, member]) => {
    if (name !== '@context') return measure(member, size, maximum)
    size.contexts += 1
    return measureContext(member, size, maximum)
  })
}

const isLarger = (value: unknown, maximum: Size): boolean =>
  !measure(value, { objects: 0, values: 0, contexts: 0, terms: 0, names: 0 }, maximum)

/** Whether a document is too large to be processed as JSON-LD; it is not nested deeply. */
export const isTooComplex = (document: object): boolean =>
  isLarger(document, {
    objects: MAX_OBJECTS,
    values: MAX_VALUES,
    contexts: MAX_CONTEXTS,
    terms: MAX_TERMS,
    names: MAX_NAMES,
  })

/** The deepest nesting of a fetched context. */
const MAX_DEPTH = 20

const isDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > MAX_DEPTH || Object.values(value).some(one => isDeep(one, depth + 1)))

/** Whether a context of another server is too large to be applied to many nodes. */
export const isLargeContext = (document: object): boolean =>
  isDeep(document) || isLarger(document, { objects: 1, values: 100, ...FETCHED })
