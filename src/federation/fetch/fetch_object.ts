import { Parser } from 'htmlparser2'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf, isDocumentType, parseObject, textOf, type JsonObject } from '../protocol/index.ts'
import { signedGet, type Asking, type SignedAnswer } from './signed_get.ts'

/** The outcome of fetching a URL of another server. */
export type Fetched =
  | { readonly outcome: 'document'; readonly document: JsonObject; readonly url: string }
  /** 410: the object was deleted. 404: there is no such object. */
  | { readonly outcome: 'gone' | 'missing' }
  /** Any other answer. */
  | { readonly outcome: 'unexpected' }
  /** An unusable document. */
  | { readonly outcome: 'nothing' }

const NOTHING: Fetched = { outcome: 'nothing' }

const headerOf = ({ headers }: SignedAnswer, name: string): string => {
  const value = headers[name]
  return (Array.isArray(value) ? value.join(', ') : value) ?? ''
}

/** The URL of the document that a page names as its other form. */
function alternateOf(answer: SignedAnswer): string | undefined {
  const inHeader = [...headerOf(answer, 'link').matchAll(/<([^>]*)>([^<]*)/g)].find(
    ([, , parameters = '']) =>
      /\brel="?alternate\b/i.test(parameters) && /application\/(?:activity|ld)\+json/i.test(parameters),
  )?.[1]
  const found = inHeader ?? alternateInPage(answer)
  return found !== undefined && URL.canParse(found, answer.url) ? new URL(found, answer.url).href : undefined
}

function alternateInPage(answer: SignedAnswer): string | undefined {
  if (!/^text\/html\b/i.test(headerOf(answer, 'content-type'))) return undefined
  let found: string | undefined
  const parser = new Parser({
    onopentag(name, { rel = '', type = '', href }) {
      const isAlternate = name === 'link' && rel.toLowerCase().split(/\s+/).includes('alternate')
      if (isAlternate && isDocumentType(type)) found ??= href
    },
  })
  parser.end(answer.body.toString())
  return found
}

/** @param mayFollow whether a page's link to its document is followed */
async function getDocument(services: Services, url: string, mayFollow: boolean, asking: Asking): Promise<Fetched> {
  const answer = await signedGet(services, url, asking)
  if (answer.status === 410) return { outcome: 'gone' }
  if (answer.status === 404) return { outcome: 'missing' }
  if (answer.status >= 500 || answer.status === 408 || answer.status === 429)
    throw new OutgoingFailure('unreachable', `${new URL(url).host} answered ${answer.status}`)
  if (answer.status !== 200) return { outcome: 'unexpected' }
  if (!answer.complete) return NOTHING
  if (isDocumentType(headerOf(answer, 'content-type'))) {
    const document = parseObject(answer.body.toString())
    return document ? { outcome: 'document', document, url: answer.url } : NOTHING
  }
  const alternate = mayFollow ? alternateOf(answer) : undefined
  return alternate === undefined ? NOTHING : getDocument(services, alternate, false, asking)
}

/** Whether a server that a redirect or a page has led to may answer for an id. */
const isOfHost = (url: string, id: string): boolean => hostOf(url) === hostOf(id)

/**
 * The document with an id. A document with another id is fetched once more from there, and the host
 * of the id must be the one that answers, so that nobody speaks for another server.
 * @throws OutgoingFailure `timeout`, `unreachable`: it may work later
 */
export async function fetchDocument(services: Services, url: string, asking: Asking = {}): Promise<Fetched> {
  try {
    const target = url.split('#', 1)[0] ?? url
    const first = await getDocument(services, target, true, asking)
    if (first.outcome !== 'document') return first
    const id = textOf(first.document['id'])
    if (id === undefined) return NOTHING
    if (id === target || id === url) return isOfHost(first.url, id) ? first : NOTHING
    const second = await getDocument(services, id, false, asking)
    if (second.outcome !== 'document') return second
    return textOf(second.document['id']) === id && isOfHost(second.url, id) ? second : NOTHING
  } catch (error) {
    if (error instanceof OutgoingFailure && error.reason === 'refused') return NOTHING
    throw error
  }
}

/**
 * The document with an id; undefined when there is none that may be used.
 * @throws OutgoingFailure
 */
export async function fetchObject(
  services: Services,
  url: string,
  asking: Asking = {},
): Promise<JsonObject | undefined> {
  const fetched = await fetchDocument(services, url, asking)
  return fetched.outcome === 'document' ? fetched.document : undefined
}
