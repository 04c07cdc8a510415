import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { chooseEncoding, COMPRESSED_FROM_BYTES } from '../compress.ts'
import { knows } from '../conditional.ts'
import { JSON_TYPE } from '../response.ts'
import type { AnyOperation } from '../operation.ts'
import type { RateLimitState } from '../limits/index.ts'
import { rateLimitHeaders } from '../limits/index.ts'
import type { ResponseCache } from './cache.ts'

/** What answering from memory needs of the server. */
export interface LookupOptions {
  readonly cache: ResponseCache
  readonly nextId: () => string
  /** Counts a request against the limits of those who are not signed in; undefined when there are none. */
  readonly count:
    ((response: HttpResponse, request: HttpRequest, paging: boolean) => RateLimitState | undefined) | undefined
}

/** Answers given from memory and not, since the start. */
export interface LookupCounts {
  readonly hits: number
  readonly misses: number
}

export interface Lookup {
  /** The key of the answer that is asked for; undefined when the request is not one that anybody could have sent. */
  keyOf(operation: AnyOperation, request: HttpRequest): string | undefined
  /** Answers from memory, before anything of the request is copied. False when it is not there, or the client has asked too often. */
  answer(key: string, response: HttpResponse, request: HttpRequest): 200 | 304 | undefined
  counts(): LookupCounts
}

/** Browsers send few different ones; past this the choice is made anew each time. */
const ENCODINGS_KNOWN = 200

export function createLookup({ cache, nextId, count }: LookupOptions): Lookup {
  const encodings = new Map<string, string>()
  let hits = 0
  let misses = 0

  /** The encoding that a long text would go out in. */
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
    answer(key, response, request) {
      const kept = cache.get(key)
      if (!kept) {
        misses += 1
        return undefined
      }
      const verdict = count?.(response, request, kept.paging)
      if (verdict?.throttled === true) return undefined
      hits += 1
      const known = request.getHeader('if-none-match')
      const unchanged = known !== '' && knows(known, kept.etag)
      if (unchanged) response.writeStatus('304 Not Modified')
      // All headers in one write, because each costs as much as a small body does.
      response.writeHeader('Content-Type', kept.head)
      response.writeHeader('X-Request-Id', nextId())
      if (verdict)
        for (const [name, value] of Object.entries(rateLimitHeaders(verdict))) response.writeHeader(name, value)
      if (unchanged) response.endWithoutBody()
      else response.end(kept.body)
      return unchanged ? 304 : 200
    },
    counts: () => ({ hits, misses }),
  }
}
