import { LRUCache } from 'lru-cache'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer } from '../../platform/services.ts'
import { fetchContext } from '../fetch/index.ts'
import { isLargeContext } from './complexity.ts'

/** The result of a JSON-LD document loader. */
export interface RemoteDocument {
  readonly contextUrl: null
  readonly documentUrl: string
  readonly document: unknown
}

export type DocumentLoader = (url: string) => Promise<RemoteDocument>

const CACHE_OPTIONS = { max: 200, ttl: 24 * 60 * 60 * 1000 }
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

  async function load(url: string): Promise<unknown> {
    let cached = cache.get(url)
    if (!cached) {
      const document = await fetchContext(services, url)
      cached = { document: document && !isLargeContext(document) ? document : undefined }
      // One that is missing may be there later.
      if (document) cache.set(url, cached)
    }
    if (cached.document) return cached.document
    throw new OutgoingFailure('refused', `${url} is no usable context`)
  }

  return {
    /** Creates the loader for one document. */
    async loader(): Promise<DocumentLoader> {
      const { preloadedContexts } = await import('@fedify/vocab-runtime')
      let remaining = MAX_UNKNOWN_CONTEXTS
      return async url => {
        if (url === TOO_LARGE) throw new OutgoingFailure('refused', `the context ${url} is too large`)
        const document = preloadedContexts[url]
        if (document !== undefined) return { contextUrl: null, documentUrl: url, document }
        if (remaining === 0) throw new OutgoingFailure('refused', 'the document names too many contexts')
        remaining -= 1
        return { contextUrl: null, documentUrl: url, document: await load(url) }
      }
    },
  }
})
