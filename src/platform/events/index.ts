export {
  EVENTS,
  isStatusEvent,
  type ChangeOf,
  type EventKind,
  type EventOf,
  type IdColumn,
  type LoggedEvent,
  type StatusEvent,
} from './catalogue.ts'
export { compareCursors, cursorOf, parseCursor, type Cursor } from './cursor.ts'
export { openEventLog, type EventLog, type EventLogOptions, type ListenState } from './log.ts'
export { onEvents, type EventHandlers } from './on_events.ts'
export { maintainLog } from './partitions.ts'
export { openReloaded } from './reloaded_value.ts'
export type { ReplayFilter } from './replay.ts'
export type { StatusFacts } from './status_facts.ts'
