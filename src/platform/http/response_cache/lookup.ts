import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { chooseEncoding, COMPRESSED_FROM_BYTES } from '../compress.ts'
import { matchesEtag } from '../conditional.ts'
import { JSON_TYPE } from '../response.ts'
import type { AnyOperation } from '../operation.ts'
import type { RateLimitState } from '../limits/index.ts'
import { rateLimitHeaders } from '../limits/index.ts'
import type { ResponseCache } from './cache.ts'

/** The dependencies of responses from memory. */
export interface LookupOptions {
  readonly cache: ResponseCache
  readonly nextId: () => string
  /** Counts a request against the limits for anonymous clients; undefined when there are none. */
  readonly count:
    ((response: HttpResponse, request: HttpRequest, paging: boolean) => RateLimitState | undefined) | undefined
}

/** Responses from memory and others, since the start. */
export interface LookupCounts {
  readonly hits: number
  readonly misses: number
}

export interface Lookup {
  /** The key of the requested response; undefined when the request is specific to its client. */
  keyOf(operation: AnyOperation, request: HttpRequest): string | undefined
  /**
   * Answers from memory, before anything of the request is copied. False when no response is
   * stored, or the client has exceeded a limit.
   */
  respond(key: string, response: HttpResponse, request: HttpRequest): 200 | 304 | undefined
  counts(): LookupCounts
}

/**
 * Browsers send few different values; beyond this number the encoding is chosen again each time.
 */
const ENCODINGS_KNOWN = 200

export function createLookup({ cache, nextId, count }: LookupOptions): Lookup {
  const encodings = new Map<string, string>()
  let hits = 0
  let misses = 0

  /** The encoding for a long text. */
  function encodingOf(accepted: string): string {
    const known = encodings.get(accepted)
    if (known !== undefined) return known
    const chosen = chooseEncoding(accepted, JSON_TYPE, COMPRESSED_FROM_BYTES) ?? ''
    if (encodings.size < ENCODINGS_KNOWN) encodings.set(accepted, chosen)
    return chosen
  }

  return {
    keyOf(operation, request) {
      const belongsToOne =
        request.getHeader('authorization') !== '' ||
        request.getHeader('content-length') !== '' ||
        request.getHeader('transfer-encoding') !== ''
      if (belongsToOne) return undefined
      const accepted = request.getHeader('accept-encoding')
      const encoding = accepted === '' ? '' : encodingOf(accepted)
      const key = `${encoding} ${request.getUrl()}?${request.getQuery() ?? ''}`
      return operation.varyByLanguage === true ? `${key} ${request.getHeader('accept-language')}` : key
    },
    respond(key, response, request) {
      const cached = cache.get(key)
      if (!cached) {
        misses += 1
        return undefined
      }
      const state = count?.(response, request, cached.paging)
      if (state?.throttled === true) return undefined
      hits += 1
      const known = request.getHeader('if-none-match')
      const unchanged = known !== '' && matchesEtag(known, cached.etag)
      if (unchanged) response.writeStatus('304 Not Modified')
      // Writes all headers at once, because each write costs as much as a small body.
      response.writeHeader('Content-Type', cached.head)
      response.writeHeader('X-Request-Id', nextId())
      if (state) for (const [name, value] of Object.entries(rateLimitHeaders(state))) response.writeHeader(name, value)
      if (unchanged) response.endWithoutBody()
      else response.end(cached.body)
      return unchanged ? 304 : 200
    },
    counts: () => ({ hits, misses }),
  }
}
