import { LRUCache } from 'lru-cache'
import type { Observable } from 'rxjs'
import type { LoggedEvent } from '../../events/index.ts'
import { tagsOf } from './tags.ts'

/**
 * Caches whole responses to anonymous clients, as bytes that are ready to be sent.
 *
 * A response is stored when its operation declares `cacheTags`, nothing about it belongs to one
 * client (no token, cookie or body), and it was sent as `Cache-Control: public` with status 200.
 * Its key contains everything that it depends on: path and query as sent, encoding, and language
 * where that matters.
 *
 * Tags invalidate it (tags.ts): the ids of all entities in its text, and those that the operation
 * adds, such as the kinds of events that extend a list, or the id of the list's owner. An event has
 * the ids that it names, its kind, and the hashtags of its status; a response that shares one of
 * them is removed. Own commits are applied before the writer gets a response, those of other
 * processes when the log delivers them. So nothing is stale after an acknowledged write; a response
 * built while one of its tags is invalidated is sent but not stored. Content that changes only with
 * time (a trend's score, the instance's figures) is at most MAX_AGE_MS old.
 */

/** A response as sent, except for headers of one request: its id and the caller's rate limits. */
export interface CachedResponse {
  /** The value of Content-Type and all other headers, as sent. */
  readonly head: Buffer
  readonly body: Buffer
  readonly etag: string
  /** Whether the request counts as paging. */
  readonly paging: boolean
}

interface Entry extends CachedResponse {
  readonly tags: ReadonlySet<string>
  /** On the clock of `performance.now()`. */
  readonly staleAtMs: number
}

/**
 * A response being built: invalidations meanwhile are recorded, so that a stale one is not stored.
 */
export interface PendingResponse {
  store(response: CachedResponse, tags: ReadonlySet<string>): void
  end(): void
}

/** The tags that were invalidated since the building began. */
interface Changes {
  readonly tags: Set<string>
  everything: boolean
}

function concerns(changes: Changes, tags: ReadonlySet<string>): boolean {
  if (changes.everything) return true
  for (const tag of changes.tags) if (tags.has(tag)) return true
  return false
}

export interface ResponseCache {
  get(key: string): CachedResponse | undefined
  /** Call it before reading any data for the response. */
  begin(key: string): PendingResponse
  readonly limitBytes: number
  readonly sizeBytes: number
  readonly size: number
}

export interface ResponseCacheOptions {
  local$: Observable<LoggedEvent>
  /** Emits after settings have changed and are in use. */
  settings$: Observable<unknown>
  /** The limit of memory for the responses. */
  maxBytes: number
  maxAgeMs?: number
}

/** The time for which clients may cache such a response. */
const MAX_AGE_MS = 15_000
/** The memory of an entry in addition to its bytes: itself, its key, and each tag in the index. */
const ENTRY_BYTES = 512
const TAG_BYTES = 100

function bytesOf(tags: ReadonlySet<string>): number {
  let bytes = tags.size * TAG_BYTES
  for (const tag of tags) bytes += tag.length
  return bytes
}

export function createResponseCache(options: ResponseCacheOptions): ResponseCache & { close(): void } {
  const { maxBytes, maxAgeMs = MAX_AGE_MS } = options
  const byTag = new Map<string, Set<string>>()
  const pending = new Set<Changes>()
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 8,
    sizeCalculation: (entry, key) =>
      entry.head.length + entry.body.length + key.length + ENTRY_BYTES + bytesOf(entry.tags),
    dispose: (entry, key) => {
      for (const tag of entry.tags) removeTag(tag, key)
    },
  })

  function removeTag(tag: string, key: string): void {
    const keys = byTag.get(tag)
    if (keys?.delete(key) === true && keys.size === 0) byTag.delete(tag)
  }

  function dropAll(): void {
    entries.clear()
    for (const changes of pending) changes.everything = true
  }

  function drop(tags: readonly string[]): void {
    for (const tag of tags) {
      for (const key of byTag.get(tag) ?? []) entries.delete(key)
      for (const changes of pending) changes.tags.add(tag)
    }
  }

  const events = options.local$.subscribe(event => {
    const tags = tagsOf(event)
    if (tags === 'everything') dropAll()
    else drop(tags)
  })
  const settings = options.settings$.subscribe(dropAll)

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined || entry.staleAtMs > performance.now()) return entry
      entries.delete(key)
      return undefined
    },
    begin(key) {
      const changes: Changes = { tags: new Set(), everything: false }
      const staleAtMs = performance.now() + maxAgeMs
      pending.add(changes)
      return {
        store(response, tags) {
          if (concerns(changes, tags)) return
          entries.set(key, { ...response, tags, staleAtMs })
          // The cache refuses a response that is too large.
          if (!entries.has(key)) return
          for (const tag of tags) {
            const keys = byTag.get(tag)
            if (keys) keys.add(key)
            else byTag.set(tag, new Set([key]))
          }
        },
        end: () => void pending.delete(changes),
      }
    },
    limitBytes: maxBytes,
    get sizeBytes() {
      return entries.calculatedSize
    },
    get size() {
      return entries.size
    },
    close() {
      events.unsubscribe()
      settings.unsubscribe()
      entries.clear()
    },
  }
}
