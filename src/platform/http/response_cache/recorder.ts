import type { ResponseCache } from './cache.ts'
import { idsIn } from './tags.ts'

/** An answer on its way from its operation into the cache. */
export interface Recorder {
  /**
   * The handler says that the answer is the same for everybody who is not signed in.
   * @param topics what it changes with beside the entities in it
   * @param paging whether the request counts as paging
   */
  allow(topics: readonly string[], paging: boolean): void
  /** Whether `allow` was called. */
  readonly allowed: boolean
  /** Keeps the answer, if nothing has changed since the making began. */
  take(answer: { text: string; body: string | Buffer; head: string; etag: string }): void
  /** To be called when the answer is out, whatever became of it. */
  end(): void
}

/** Begins the making of an answer that may be kept under the key. */
export function beginRecording(cache: ResponseCache, key: string): Recorder {
  const making = cache.begin(key)
  let allowed: { topics: readonly string[]; paging: boolean } | undefined
  return {
    allow(topics, paging) {
      allowed = { topics, paging }
    },
    get allowed() {
      return allowed !== undefined
    },
    take({ text, body, head, etag }) {
      if (!allowed) return
      const topics = idsIn(text)
      for (const topic of allowed.topics) topics.add(topic)
      // Copied, so that no larger buffer is kept alive.
      const answer = { head: Buffer.from(head), body: Buffer.from(body), etag, paging: allowed.paging }
      making.keep(answer, topics)
    },
    end: () => making.end(),
  }
}
