import { isStatusEvent, type LoggedEvent, type StatusFacts } from '../platform/events/index.ts'

export type { StatusFacts } from '../platform/events/index.ts'
export type Visibility = StatusFacts['visibility']

/** The facts in an event; undefined when it is not about a status. */
export const factsOf = (event: LoggedEvent): StatusFacts | undefined => (isStatusEvent(event) ? event.data : undefined)
