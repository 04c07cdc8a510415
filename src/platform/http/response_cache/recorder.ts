import { ownBytes } from '../../../core/own_bytes.ts'
import type { ResponseCache } from './cache.ts'
import { idsIn } from './tags.ts'

/** Records a response for the cache. */
export interface Recorder {
  /**
   * Declares that the response is the same for every anonymous client.
   * @param tags in addition to the ids of the entities in it
   * @param paging whether the request counts as paging
   */
  allow(tags: readonly string[], paging: boolean): void
  /** Whether `allow` was called. */
  readonly allowed: boolean
  /** Stores the response, unless one of its tags was invalidated meanwhile. */
  take(response: { text: string; body: string | Buffer; head: string; etag: string }): void
  /** Call it after the response was sent, in every case. */
  end(): void
}

/** Begins to record a response that may be stored under the key. */
export function beginRecording(cache: ResponseCache, key: string): Recorder {
  const pending = cache.begin(key)
  let allowed: { tags: readonly string[]; paging: boolean } | undefined
  return {
    allow(tags, paging) {
      allowed = { tags, paging }
    },
    get allowed() {
      return allowed !== undefined
    },
    take({ text, body, head, etag }) {
      if (!allowed) return
      const tags = idsIn(text)
      for (const tag of allowed.tags) tags.add(tag)
      const response = {
        head: ownBytes(Buffer.from(head)),
        body: ownBytes(typeof body === 'string' ? Buffer.from(body) : body),
        etag,
        paging: allowed.paging,
      }
      pending.store(response, tags)
    },
    end: () => pending.end(),
  }
}
