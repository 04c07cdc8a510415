import type { Observable, Subscription } from 'rxjs'
import type { EventKind, EventOf, LoggedEvent } from './catalogue.ts'

/** A handler for each kind of event; events of other kinds are ignored. */
export type EventHandlers = { readonly [K in EventKind]?: (event: EventOf<K>) => void }

/** The handlers as one function, which finds the one for an event in a table. */
function handleEvents(handlers: EventHandlers): (event: LoggedEvent) => void {
  function handle<K extends EventKind>(kind: K, event: EventOf<K>): void {
    handlers[kind]?.(event)
  }
  return event => handle(event.kind, event)
}

/**
 * Calls the handler of each event's kind. The members of `handlers` show which kinds a subscriber
 * needs.
 */
export const onEvents = (events$: Observable<LoggedEvent>, handlers: EventHandlers): Subscription =>
  events$.subscribe(handleEvents(handlers))
