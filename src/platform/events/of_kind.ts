import { concatMap, defer, filter, retry, timer, type Observable, type OperatorFunction } from 'rxjs'
import type { EventKind, EventOf, LoggedEvent } from './catalogue.ts'

/** The events of these kinds, typed as such: `log$.pipe(ofKind('status.created'))`. */
function ofKind<K extends EventKind>(...kinds: readonly K[]): OperatorFunction<LoggedEvent, EventOf<K>> {
  const kindSet: ReadonlySet<string> = new Set(kinds)
  return filter((event): event is EventOf<K> => kindSet.has(event.kind))
}

const RETRY_MS = 1000

/**
 * Reloads after each event of a kind, and when all caches are cleared, one reload after the other,
 * and retries each until it succeeds. Subscribe before the first load, so that no change is missed.
 * @param onError called when a reload fails
 */
export const reloadOn = (
  events$: Observable<LoggedEvent>,
  kind: EventKind,
  reload: () => Promise<void>,
  onError: (error: unknown) => void,
): Observable<void> => {
  const delay = (error: unknown): Observable<number> => {
    onError(error)
    return timer(RETRY_MS)
  }
  return events$.pipe(
    ofKind(kind, 'caches.cleared'),
    concatMap(() => defer(reload).pipe(retry({ delay }))),
  )
}
