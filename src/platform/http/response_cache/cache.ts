import { LRUCache } from 'lru-cache'
import type { Observable } from 'rxjs'
import type { LoggedEvent } from '../../database/index.ts'
import { tagsOf } from './tags.ts'

/*
 * Whole answers to clients that are not signed in, as bytes that are ready to be sent.
 *
 * An answer is kept when its operation says what it changes with (`cacheTags`), nothing about it belongs to one client (no token, no
 * cookie, no body), and it went out as `Cache-Control: public` with status 200. It is kept under all that it depends on of the
 * request: path and query as sent, encoding, language where that counts.
 *
 * It is dropped by topics (topics.ts). Its own are the ids of all entities in its text, and what the operation adds: the kinds of
 * events that put something new into a list, the id that a list belongs to. An event has the ids it names, its kind, the tags
 * of its status. Where they meet the answer goes. This process's own commits are heard before the writer is answered, those of others when
 * the log tells of them. So nothing is stale after an acknowledged write; one that is being made while an event of its topics comes
 * is sent and not kept. What changes by time alone (a trend's score, the figures of the instance) is at most MAX_AGE_MS old.
 */

/** An answer as it is sent, but for what belongs to a request: its id and the caller's rate limits. */
export interface CachedResponse {
  /** The first header's value and all other headers, as they go over the wire. */
  readonly head: Buffer
  readonly body: Buffer
  readonly etag: string
  /** Whether the request counts as paging. */
  readonly paging: boolean
}

interface Entry extends CachedResponse {
  readonly topics: ReadonlySet<string>
  /** On the clock of `performance.now()`. */
  readonly staleAtMs: number
}

/** The making of an answer: what changes meanwhile is noted, so that an answer from before is not kept. */
export interface PendingResponse {
  keep(answer: CachedResponse, topics: ReadonlySet<string>): void
  end(): void
}

/** What has changed since the making of an answer began. */
interface Changes {
  readonly topics: Set<string>
  everything: boolean
}

function concerns(changes: Changes, topics: ReadonlySet<string>): boolean {
  if (changes.everything) return true
  for (const topic of changes.topics) if (topics.has(topic)) return true
  return false
}

export interface ResponseCache {
  get(key: string): CachedResponse | undefined
  /** To be called before anything is read that the answer is made of. */
  begin(key: string): PendingResponse
  readonly limitBytes: number
  readonly sizeBytes: number
  readonly size: number
}

export interface ResponseCacheOptions {
  local$: Observable<LoggedEvent>
  /** Emits after settings have changed, when the new ones are in use. */
  settings$: Observable<unknown>
  /** Most memory that the answers take. */
  maxBytes: number
  maxAgeMs?: number
}

/** As long as clients may keep such an answer. */
const MAX_AGE_MS = 15_000
/** What an entry takes beside its bytes: itself, its key, and each topic in the index. */
const ENTRY_BYTES = 512
const TOPIC_BYTES = 100

export function createResponseCache(options: ResponseCacheOptions): ResponseCache & { close(): void } {
  const { maxBytes, maxAgeMs = MAX_AGE_MS } = options
  const byTopic = new Map<string, Set<string>>()
  const making = new Set<Changes>()
  const kept = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 8,
    sizeCalculation: (entry, key) =>
      entry.head.length + entry.body.length + key.length + ENTRY_BYTES + entry.topics.size * TOPIC_BYTES,
    dispose: (entry, key) => {
      for (const topic of entry.topics) forget(topic, key)
    },
  })

  function forget(topic: string, key: string): void {
    const keys = byTopic.get(topic)
    if (keys?.delete(key) === true && keys.size === 0) byTopic.delete(topic)
  }

  function dropAll(): void {
    kept.clear()
    for (const changes of making) changes.everything = true
  }

  function drop(topics: readonly string[]): void {
    for (const topic of topics) {
      for (const key of byTopic.get(topic) ?? []) kept.delete(key)
      for (const changes of making) changes.topics.add(topic)
    }
  }

  const events = options.local$.subscribe(event => {
    const topics = tagsOf(event)
    if (topics === 'everything') dropAll()
    else drop(topics)
  })
  const settings = options.settings$.subscribe(dropAll)

  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined || entry.staleAtMs > performance.now()) return entry
      kept.delete(key)
      return undefined
    },
    begin(key) {
      const changes: Changes = { topics: new Set(), everything: false }
      const staleAtMs = performance.now() + maxAgeMs
      making.add(changes)
      return {
        keep(answer, topics) {
          if (concerns(changes, topics)) return
          kept.set(key, { ...answer, topics, staleAtMs })
          // One that is too large is not taken.
          if (!kept.has(key)) return
          for (const topic of topics) {
            const keys = byTopic.get(topic)
            if (keys) keys.add(key)
            else byTopic.set(topic, new Set([key]))
          }
        },
        end: () => void making.delete(changes),
      }
    },
    limitBytes: maxBytes,
    get sizeBytes() {
      return kept.calculatedSize
    },
    get size() {
      return kept.size
    },
    close() {
      events.unsubscribe()
      settings.unsubscribe()
      kept.clear()
    },
  }
}
