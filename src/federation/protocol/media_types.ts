import type { Request } from '../../platform/http/request.ts'

export const ACTIVITY_TYPE = 'application/activity+json'
/** The other name of the type, with the profile that distinguishes it from other JSON-LD. */
export const LINKED_DATA_TYPE = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const DOCUMENTS = new Set([ACTIVITY_TYPE, 'application/ld+json', 'application/json'])
const PAGES = new Set(['text/html', 'application/xhtml+xml'])

/**
 * Whether the caller wants the document for servers rather than the page for people: what its
 * header Accept names first, among those of the highest weight.
 */
export function wantsDocument(request: Pick<Request, 'header'>): boolean {
  const offers = request
    .header('accept')
    .split(',')
    .map(offer => {
      const [type = '', ...parameters] = offer.split(';').map(part => part.trim().toLowerCase())
      const weight = Number(parameters.find(one => one.startsWith('q='))?.slice(2) ?? 1)
      return { type, weight: Number.isNaN(weight) ? 0 : weight }
    })
    .filter(({ type, weight }) => weight > 0 && (DOCUMENTS.has(type) || PAGES.has(type)))
    .toSorted((one, other) => other.weight - one.weight)
  return DOCUMENTS.has(offers[0]?.type ?? '')
}

/** Whether an answer has one of the types of documents. */
export const isDocumentType = (contentType: string): boolean => {
  const [type = '', ...parameters] = contentType.split(';').map(part => part.trim().toLowerCase())
  if (type === ACTIVITY_TYPE) return true
  return type === 'application/ld+json' && parameters.some(one => one.includes('https://www.w3.org/ns/activitystreams'))
}
