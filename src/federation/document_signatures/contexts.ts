import { LRUCache } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import { domainKey, OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer } from '../../platform/services.ts'
import { fetchContext, ignoreOutgoingFailure } from '../fetch/index.ts'
import { isObject } from '../protocol/index.ts'
import { isLargeContext } from './complexity.ts'

/** The result of a JSON-LD document loader. */
export interface RemoteDocument {
  readonly contextUrl: null
  readonly documentUrl: string
  readonly document: unknown
}

export type DocumentLoader = (url: string) => Promise<RemoteDocument>

const CACHE_OPTIONS = { max: 200, ttl: 24 * 60 * 60 * 1000 }
/** How long one that could not be fetched is not requested again. */
const UNUSABLE_MS = 60_000
/** Contexts that are requested within a minute for documents that one domain delivers. */
const MAX_REQUESTS = 20
const PERIOD_MS = 60_000
const MAX_DOMAINS = 10_000
/** The maximum number of unknown contexts in one document. */
const MAX_UNKNOWN_CONTEXTS = 2
/** Its 3,000 terms take 20 ms each time that they are processed. */
const TOO_LARGE = 'http://schema.org/'

/**
 * Loads the JSON-LD contexts that documents name. Well-known contexts are part of Fedify and never
 * fetched, so that nobody can redefine them; a document may name two others.
 */
export const contextLoaders = perServer(services => {
  /** Undefined for what cannot be used. */
  const cache = new LRUCache<string, { readonly document: object | undefined }>(CACHE_OPTIONS)

  const requests = new LRUCache<string, { count: number }>({ max: MAX_DOMAINS, ttl: PERIOD_MS, ttlResolution: 0 })

  /** @throws ApiError signatureUnchecked for a host that has named many contexts lately */
  function takeRequest(host: string): void {
    const domain = domainKey(host)
    const usage = requests.get(domain) ?? { count: 0 }
    if (usage.count >= MAX_REQUESTS) throw new ApiError('signatureUnchecked')
    usage.count += 1
    // The minute begins with the first.
    requests.set(domain, usage, { noUpdateTTL: true })
  }

  async function load(url: string, host: string | undefined): Promise<object> {
    let cached = cache.get(url)
    if (!cached) {
      if (host !== undefined) takeRequest(host)
      const document = await ignoreOutgoingFailure(fetchContext(services, url))
      cached = { document: document && !isLargeContext(document) ? document : undefined }
      cache.set(url, cached, document ? {} : { ttl: UNUSABLE_MS })
    }
    if (cached.document) return cached.document
    throw new OutgoingFailure('refused', `${url} is no usable context`)
  }

  return {
    /**
     * Loads the contexts that a document names, and those that these name. The result asks no other
     * server, so that processing the document does not wait.
     * @param host the host that delivered it, whose requests are limited; undefined for own ones
     * @throws OutgoingFailure when one is unusable, or there are too many; ApiError
     *   signatureUnchecked when the host has named many lately
     */
    async loaderFor(document: object, host?: string): Promise<DocumentLoader> {
      const { preloadedContexts } = await import('@fedify/vocab-runtime')
      const loaded = new Map<string, object>()
      async function loadNamed(value: unknown): Promise<void> {
        for (const url of contextNames(value)) {
          if (url === TOO_LARGE) throw new OutgoingFailure('refused', `the context ${url} is too large`)
          if (preloadedContexts[url] !== undefined || loaded.has(url)) continue
          if (loaded.size === MAX_UNKNOWN_CONTEXTS)
            throw new OutgoingFailure('refused', 'the document names too many contexts')
          const context = await load(url, host)
          loaded.set(url, context)
          await loadNamed(context)
        }
      }
      await loadNamed(document)
      return async url => {
        const found = preloadedContexts[url] ?? loaded.get(url)
        if (found === undefined) throw new OutgoingFailure('refused', `the context ${url} was not loaded`)
        return { contextUrl: null, documentUrl: url, document: found }
      }
    },
  }
})

/** The URLs of the contexts that a document names, at any depth. */
function* contextNames(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* contextNames(one)
  else if (isObject(value))
    for (const [name, member] of Object.entries(value))
      yield* name === '@context' ? namesInContext(member) : contextNames(member)
}

function* namesInContext(context: unknown): Generator<string> {
  if (typeof context === 'string') yield context
  else if (Array.isArray(context)) for (const one of context) yield* namesInContext(one)
  else if (isObject(context) && typeof context['@import'] === 'string') yield context['@import']
}
