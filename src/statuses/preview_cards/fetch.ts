import { follow, OutgoingFailure, userAgentOf, type FollowedResponse } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import type { CardFacts, PageCard } from './facts.ts'
import type { OEmbedFacts } from './oembed.ts'

const REDIRECTS = 5
/** Metadata stands at the beginning of a page; the rest of a longer page is not read. */
const PAGE = { timeoutMs: 10_000, maxBytes: 1024 * 1024, redirects: REDIRECTS } as const
const OEMBED = { timeoutMs: 5000, maxBytes: 256 * 1024, redirects: REDIRECTS } as const
const IMAGE = { timeoutMs: 10_000, maxBytes: 8 * 1024 * 1024, redirects: REDIRECTS } as const

/** The readers with their parsers take 5 MB, so they are loaded on first use. */
const loadReaders = async () => {
  const [{ decodePage }, { readPage }, { readOEmbed }] = await Promise.all([
    import('./charset.ts'),
    import('./page.ts'),
    import('./oembed.ts'),
  ])
  return { decodePage, readPage, readOEmbed }
}

/** Requests uncompressed content, so that a small response cannot expand. */
const HEADERS = { 'accept-encoding': 'identity' } as const

/** Some sites show their metadata only to what calls itself a bot, and others a consent page. */
const pageHeaders = (config: Outside['config'], accept: string) => ({
  ...HEADERS,
  accept,
  'accept-language': `${config.defaultLocale}, *;q=0.5`,
  'user-agent': `${userAgentOf(config)} Bot`,
})

const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml'])
/** Statuses of responses that may succeed later. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])

const header = ({ headers }: FollowedResponse, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

const isPlain = (response: FollowedResponse): boolean => ['', 'identity'].includes(header(response, 'content-encoding'))

type Outside = Pick<Services, 'outgoing' | 'config'>

/** Aborts a request, for example when the server stops. */
type Ending = { readonly signal?: AbortSignal }

/**
 * The preview of the page at a URL, after redirects. Undefined when it is no page, may not be
 * requested, or has nothing to show.
 * @throws OutgoingFailure when a later try may succeed
 */
export async function fetchCard(
  { outgoing, config }: Outside,
  url: string,
  ending: Ending = {},
): Promise<PageCard | undefined> {
  const headers = pageHeaders(config, 'text/html, application/xhtml+xml')
  const response = await unlessRefused(follow(outgoing, url, { ...PAGE, ...ending, headers }))
  if (!response) return undefined
  if (TRANSIENT_STATUSES.has(response.status)) throw new OutgoingFailure('unreachable', `answered ${response.status}`)
  const type = header(response, 'content-type')
  const [essence = ''] = type.split(';')
  if (response.status !== 200 || !isPlain(response) || !PAGE_TYPES.has(essence.trim().toLowerCase())) return undefined
  const { decodePage, readPage } = await loadReaders()
  const html = decodePage(response.body, type)
  if (html === undefined) return undefined
  const ownHost = new URL(config.publicUrl).host
  const { facts, oembedUrl } = readPage(html, response.url, ownHost)
  const oembed =
    oembedUrl === undefined ? undefined : await fetchOEmbed({ outgoing, config }, oembedUrl, ownHost, ending)
  const card = oembed ? merge(facts, oembed) : facts
  return card.title === '' && card.html === '' && card.embedUrl === '' ? undefined : { ...card, pageUrl: response.url }
}

/** Undefined also on failure: the page's own data is enough. */
async function fetchOEmbed(
  { outgoing, config }: Outside,
  url: string,
  ownHost: string,
  ending: Ending,
): Promise<OEmbedFacts | undefined> {
  const headers = pageHeaders(config, 'application/json+oembed, application/json')
  const response = await unlessFailed(follow(outgoing, url, { ...OEMBED, ...ending, headers }))
  if (response?.status !== 200 || !response.complete || !isPlain(response)) return undefined
  const { readOEmbed } = await loadReaders()
  return readOEmbed(response.body.toString(), response.url, ownHost)
}

/** The bytes of a picture of at most 8 MiB, in any format; undefined on failure. */
export async function fetchImage(
  outgoing: Services['outgoing'],
  url: string,
  ending: Ending = {},
): Promise<Buffer | undefined> {
  const headers = { ...HEADERS, accept: 'image/*' }
  const response = await unlessFailed(follow(outgoing, url, { ...IMAGE, ...ending, headers }))
  return response?.status === 200 && response.complete && isPlain(response) ? response.body : undefined
}

/** Prefers oEmbed data; the page's data fills its gaps. */
function merge(page: CardFacts, oembed: OEmbedFacts): CardFacts {
  const { type, html, width, height, embedUrl } = oembed
  // A page with a player remains a video when its oEmbed data calls it a link.
  const shown = type === 'link' ? {} : { type, html, width, height, embedUrl }
  return {
    ...page,
    ...shown,
    title: oembed.title || page.title,
    authorName: oembed.authorName || page.authorName,
    authorUrl: oembed.authorUrl || page.authorUrl,
    providerName: oembed.providerName || page.providerName,
    providerUrl: oembed.providerUrl,
    imageUrl: page.imageUrl ?? (oembed.imageUrl || null),
  }
}

async function unlessRefused<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response
  } catch (error) {
    if (error instanceof OutgoingFailure && error.reason === 'refused') return undefined
    throw error
  }
}

async function unlessFailed<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response
  } catch (error) {
    if (error instanceof OutgoingFailure) return undefined
    throw error
  }
}
