import { concatMap, defer, filter, retry, timer, type Observable } from 'rxjs'
import type { EventKind, LoggedEvent } from './catalogue.ts'

const RETRY_MS = 1000

/** A value that this process keeps in memory as a whole. */
interface ReloadedValue<T> {
  get(): T
  /** Loads it again; resolves when it is what was stored at the time of the call, or later. */
  reload(): Promise<void>
  /** Resolves when no load is waiting or under way. */
  settled(): Promise<void>
  close(): void
}

interface ReloadedValueOptions<T> {
  /** Called when a load after an event fails; it is repeated until it succeeds. */
  onError(error: unknown): void
  /** Called when a value has been loaded and `get` returns it. */
  onLoaded?(value: T, previous: T | undefined): void
}

/**
 * Loads a value, and loads it again after each event of a kind, and when all caches are cleared.
 * Loads run one after the other, the first included, so that an older result never replaces a newer
 * one.
 */
export async function openReloaded<T>(
  events$: Observable<LoggedEvent>,
  kind: EventKind,
  load: () => Promise<T>,
  { onError, onLoaded }: ReloadedValueOptions<T>,
): Promise<ReloadedValue<T>> {
  let loaded: { readonly value: T } | undefined
  let latest: Promise<unknown> = Promise.resolve()

  async function loadNow(): Promise<T> {
    const value = await load()
    const previous = loaded?.value
    loaded = { value }
    onLoaded?.(value, previous)
    return value
  }

  function enqueueLoad(): Promise<T> {
    const loading = latest.then(loadNow)
    latest = loading.catch(() => undefined)
    return loading
  }

  const retried$ = defer(enqueueLoad).pipe(
    retry({
      delay(error) {
        onError(error)
        return timer(RETRY_MS)
      },
    }),
  )
  // Before the first load: a change that commits during the load is only reported by the events.
  const subscription = events$
    .pipe(
      filter(event => event.kind === kind || event.kind === 'caches.cleared'),
      concatMap(() => retried$),
    )
    .subscribe()
  try {
    const first = await enqueueLoad()
    return {
      get: () => (loaded ? loaded.value : first),
      async reload() {
        await enqueueLoad()
      },
      async settled() {
        // A load may follow the one that runs.
        for (let awaited: unknown; awaited !== latest;) await (awaited = latest)
      },
      close: () => subscription.unsubscribe(),
    }
  } catch (error) {
    subscription.unsubscribe()
    throw error
  }
}
