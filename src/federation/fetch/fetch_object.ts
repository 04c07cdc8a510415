import { parseMarkup } from '../../core/text/markup.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf, isDocumentType, parseObject, sameHost, textOf, type JsonObject } from '../protocol/index.ts'
import { signedGet, type FetchOptions, type SignedResponse } from './signed_get.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** The outcome of fetching a URL of another server. */
export type FetchResult =
  | { readonly outcome: 'document'; readonly document: JsonObject; readonly url: string }
  /** 410: the object was deleted. 404: there is no such object. */
  | { readonly outcome: 'gone' | 'missing' }
  /** Any other status. */
  | { readonly outcome: 'unexpected'; readonly status: number }
  /** No ActivityPub document, or one that may not be used for the URL. */
  | { readonly outcome: 'unusable' }

const UNUSABLE: FetchResult = { outcome: 'unusable' }

const headerOf = ({ headers }: SignedResponse, name: string): string => {
  const value = headers[name]
  return (Array.isArray(value) ? value.join(', ') : value) ?? ''
}

/** The URL of the document that a page names in `Link: rel=alternate` or a `link` element. */
function alternateUrl(response: SignedResponse): string | undefined {
  const inHeader = [...headerOf(response, 'link').matchAll(/<([^<>]*)>([^<]*)/g)].find(
    ([, , parameters = '']) =>
      /\brel="?alternate\b/i.test(parameters) && /application\/(?:activity|ld)\+json/i.test(parameters),
  )?.[1]
  const reference = inHeader ?? alternateLinkInPage(response)
  return reference === undefined ? undefined : parseUrl(reference, response.url)?.href
}

function alternateLinkInPage(response: SignedResponse): string | undefined {
  if (!/^text\/html\b/i.test(headerOf(response, 'content-type'))) return undefined
  let alternate: string | undefined
  parseMarkup(response.body.toString(), {
    onopentag(name, { rel = '', type = '', href }) {
      const isAlternate = name === 'link' && rel.toLowerCase().split(/\s+/).includes('alternate')
      if (isAlternate && isDocumentType(type)) alternate ??= href
    },
  })
  return alternate
}

/** @param followsAlternate whether a page's link to its document is followed */
async function getDocument(
  services: Services,
  url: string,
  followsAlternate: boolean,
  options: FetchOptions,
): Promise<FetchResult> {
  const response = await signedGet(services, url, options)
  if (response.status === 410) return { outcome: 'gone' }
  if (response.status === 404) return { outcome: 'missing' }
  if (response.status >= 500 || response.status === 408 || response.status === 429)
    throw new OutgoingFailure('unreachable', `${new URL(url).host} answered ${response.status}`)
  if (response.status !== 200) return { outcome: 'unexpected', status: response.status }
  if (!response.complete) return UNUSABLE
  if (isDocumentType(headerOf(response, 'content-type'))) {
    const document = parseObject(response.body.toString())
    return document ? { outcome: 'document', document, url: response.url } : UNUSABLE
  }
  const alternate = followsAlternate ? alternateUrl(response) : undefined
  return alternate === undefined
    ? UNUSABLE
    : getDocument(services, alternate, false, { ...options, acceptsPages: false })
}

/** Whether the final URL, after redirects and links of pages, is on the server of the id. */
const isSameOrigin = (url: string, id: string): boolean => hostOf(url) === hostOf(id)

/**
 * The document at a URL, or the one that its page names. The document alone is requested first: a
 * server may have nothing for those who also accept pages.
 */
async function getFirst(services: Services, url: string, options: FetchOptions): Promise<FetchResult> {
  const found = await getDocument(services, url, true, { ...options, acceptsPages: false })
  const mayBePage = found.outcome === 'missing' || found.outcome === 'unexpected'
  return mayBePage && options.acceptsPages === true ? getDocument(services, url, true, options) : found
}

/**
 * Fetches the document at a URL. If its id is another URL, the document is fetched once more from
 * there. The host of the id must be the host that served it, so that no server can speak for
 * another.
 * @throws OutgoingFailure `timeout`, `unreachable`: a later attempt may succeed
 */
export async function fetchDocument(services: Services, url: string, options: FetchOptions = {}): Promise<FetchResult> {
  try {
    const target = url.split('#', 1)[0] ?? url
    const first = await getFirst(services, target, options)
    if (first.outcome !== 'document') return first
    const id = textOf(first.document['id'])
    if (id === undefined) return UNUSABLE
    if (id === target || id === url) return isSameOrigin(first.url, id) ? first : UNUSABLE
    const second = await getDocument(services, id, false, { ...options, acceptsPages: false })
    if (second.outcome !== 'document') return second
    return textOf(second.document['id']) === id && isSameOrigin(second.url, id) ? second : UNUSABLE
  } catch (error) {
    if (error instanceof OutgoingFailure && error.reason === 'refused') return UNUSABLE
    throw error
  }
}

/**
 * As `fetchObject`; undefined unless the document has exactly this id. For documents by which
 * somebody permits something: a redirect on their host may lead to anybody's.
 * @throws OutgoingFailure
 */
export async function fetchExactly(services: Services, id: string): Promise<JsonObject | undefined> {
  const document = await fetchObject(services, id)
  return textOf(document?.['id']) === id ? document : undefined
}

/**
 * As `fetchObject`; undefined if a redirect leads to the document of another host.
 * @throws OutgoingFailure
 */
export async function fetchFromHost(services: Services, url: string): Promise<JsonObject | undefined> {
  const document = await fetchObject(services, url)
  return sameHost(textOf(document?.['id']) ?? '', url) ? document : undefined
}

/**
 * As `fetchDocument`; undefined without a usable document.
 * @throws OutgoingFailure
 */
export async function fetchObject(
  services: Services,
  url: string,
  options: FetchOptions = {},
): Promise<JsonObject | undefined> {
  const fetched = await fetchDocument(services, url, options)
  return fetched.outcome === 'document' ? fetched.document : undefined
}
