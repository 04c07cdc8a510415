import type { IdColumn, LoggedEvent } from '../../src/platform/events/index.ts'
import type { Id } from '../../src/core/id.ts'

type Members = { readonly [C in IdColumn]?: Id } & { readonly id?: string; readonly data?: object }

/**
 * An event as readers of the log get it; also one of a kind that only a newer version has, or
 * without all of its data.
 */
export function loggedEvent(kind: string, members: Members = {}): LoggedEvent {
  const event: object = {
    txid: '1',
    id: '1',
    kind,
    actor_id: null,
    account_id: null,
    status_id: null,
    object_id: null,
    data: {},
    ...members,
  }
  return event as LoggedEvent
}
