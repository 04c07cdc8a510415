import type { Request } from '../../platform/http/request.ts'

export const ACTIVITY_TYPE = 'application/activity+json'
/** The JSON-LD type, with the profile that distinguishes ActivityStreams from other JSON-LD. */
export const LINKED_DATA_TYPE = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const DOCUMENT_TYPES = new Set([ACTIVITY_TYPE, 'application/ld+json', 'application/json'])
const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml'])

/**
 * Whether the client prefers the ActivityPub document to the web page: the first type with the
 * highest weight in its header Accept decides. Parameters of a type other than the weight do not
 * count: JSON-LD without a profile is any JSON-LD.
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
    .filter(({ type, weight }) => weight > 0 && (DOCUMENT_TYPES.has(type) || PAGE_TYPES.has(type)))
    .toSorted((one, other) => other.weight - one.weight)
  return DOCUMENT_TYPES.has(offers[0]?.type ?? '')
}

/** Whether a Content-Type is one of ActivityPub documents. */
export const isDocumentType = (contentType: string): boolean => {
  const [type = '', ...parameters] = contentType.split(';').map(part => part.trim().toLowerCase())
  if (type === ACTIVITY_TYPE) return true
  return type === 'application/ld+json' && parameters.some(one => one.includes('https://www.w3.org/ns/activitystreams'))
}
