import { LRUCache } from 'lru-cache'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer } from '../../platform/services.ts'
import { fetchContext } from '../fetch/index.ts'

/** What the JSON-LD processor asks for. */
export interface LoadedContext {
  readonly contextUrl: null
  readonly documentUrl: string
  readonly document: unknown
}

export type LoadContext = (url: string) => Promise<LoadedContext>

const KEPT = { max: 200, ttl: 24 * 60 * 60 * 1000 }
/** A document that names more unknown contexts is refused. */
const MAX_FETCHED = 2

/**
 * Loads the contexts that documents name. The well-known ones come with Fedify and are never
 * fetched, so that nobody can redefine them; a document may name two others.
 */
export const contextsOf = perServer(services => {
  const kept = new LRUCache<string, { readonly document: unknown }>(KEPT)

  async function fetched(url: string): Promise<unknown> {
    const known = kept.get(url)
    if (known) return known.document
    const document = await fetchContext(services, url)
    if (!document) throw new OutgoingFailure('refused', `${url} is no context`)
    kept.set(url, { document })
    return document
  }

  return {
    /** For one document. */
    async loader(): Promise<LoadContext> {
      const { preloadedContexts } = await import('@fedify/vocab-runtime')
      let left = MAX_FETCHED
      return async url => {
        const document = preloadedContexts[url]
        if (document !== undefined) return { contextUrl: null, documentUrl: url, document }
        if (left === 0) throw new OutgoingFailure('refused', 'the document names too many contexts')
        left -= 1
        return { contextUrl: null, documentUrl: url, document: await fetched(url) }
      }
    },
  }
})
