import { setTimeout as delay } from 'node:timers/promises'
import type { Observable } from 'rxjs'
import { onEvents, type LoggedEvent } from '../events/index.ts'
import type { Id } from '../../core/id.ts'
import type { Metrics } from '../metrics/index.ts'
import type { TokenStore } from '../http/token_store.ts'
import { mayStream } from './access.ts'
import type { Connection } from './subscriptions.ts'

/**
 * "Service restart" (RFC 6455 registry): clients reconnect after it, which 1000 does not ask of
 * them.
 */
export const SERVICE_RESTART = 1012

/** Connections are ended in this many batches, or in fewer of at least `MIN_BATCH`. */
const BATCHES = 50
const MIN_BATCH = 20
const BATCH_PAUSE_MS = 50

export type Transport = 'websocket' | 'sse'

/**
 * The open connections of a server process: counts them, and ends those of users who may no longer
 * stream.
 */
export interface Connections<R> {
  add(connection: Connection<R>, transport: Transport): void
  remove(connection: Connection<R>, transport: Transport): void
  /** Counts sent messages. */
  sent(transport: Transport, count: number): void
  /** Counts a reader that was disconnected because it was too slow. */
  tooSlow(transport: Transport): void
  /** Closes an account's connections, so that its clients reconnect and resume. */
  disconnectToResume(account: Id): void
  /** Counts a connection that was closed because an event could not be delivered. */
  interrupted(transport: Transport): void
  /** Ends all connections when the server stops. */
  endAll(): void
  /**
   * Ends all present connections in batches, so that their clients do not all reconnect at once.
   */
  restart(): Promise<void>
  /** The same; and those that are added later at once. */
  retire(): Promise<void>
  readonly size: number
}

/**
 * Ends the connections whose token was revoked, or whose user may no longer stream; the others go
 * on with the user's present rights. When these cannot be looked up, the connections are closed, so
 * that their clients ask anew and resume.
 */
function endRevoked<R>(
  log$: Observable<LoggedEvent>,
  byAccount: ReadonlyMap<Id, ReadonlySet<Connection<R>>>,
  tokens: TokenStore,
  onError: (error: unknown) => void,
): void {
  function revoke(account: Id, token: Id | null): void {
    for (const connection of byAccount.get(account) ?? []) {
      if (token === null || connection.caller.token.id === token) connection.end(1000)
    }
  }

  async function recheck(account: Id): Promise<void> {
    const [first] = byAccount.get(account) ?? []
    if (!first) return
    const viewer = await tokens.viewer(first.caller.viewer.userId)
    for (const connection of byAccount.get(account) ?? []) {
      if (viewer && mayStream(viewer)) connection.caller = { token: connection.caller.token, viewer }
      else connection.end(1000)
    }
  }

  const recheckLater = (account: Id): void => {
    if (!byAccount.has(account)) return
    recheck(account).catch((error: unknown) => {
      onError(error)
      for (const connection of byAccount.get(account) ?? []) connection.disconnectToResume()
    })
  }

  onEvents(log$, {
    'token.revoked': ({ account_id: account, object_id: token }) => {
      if (account !== null) revoke(account, token)
    },
    'account.deleted': event => revoke(event.account_id, null),
    'account.changed': event => recheckLater(event.account_id),
    // A role decides on the rights of many.
    'role.changed': () => {
      for (const account of byAccount.keys()) recheckLater(account)
    },
    'user.changed': event => {
      if (event.data.change === 'password') revoke(event.account_id, null)
      else recheckLater(event.account_id)
    },
  })
}

export function createConnections<R>(
  log$: Observable<LoggedEvent>,
  tokens: TokenStore,
  metrics: Pick<Metrics, 'streams' | 'streamMessages' | 'errors' | 'batched'>,
  onError: (error: unknown) => void,
): Connections<R> {
  const byAccount = new Map<Id, Set<Connection<R>>>()
  const open = { websocket: metrics.streams.labels('websocket'), sse: metrics.streams.labels('sse') }
  const sent = {
    websocket: metrics.batched(metrics.streamMessages, { transport: 'websocket' }),
    sse: metrics.batched(metrics.streamMessages, { transport: 'sse' }),
  }
  let size = 0
  let isRetiring = false

  endRevoked(log$, byAccount, tokens, onError)

  async function restart(): Promise<void> {
    const all = [...byAccount.values()].flatMap(connections => [...connections])
    const batch = Math.max(MIN_BATCH, Math.ceil(all.length / BATCHES))
    for (let first = 0; first < all.length; first += batch) {
      if (first > 0) await delay(BATCH_PAUSE_MS)
      for (const connection of all.slice(first, first + batch)) connection.end(SERVICE_RESTART)
    }
  }

  return {
    add(connection, transport) {
      const account = connection.caller.viewer.id
      const others = byAccount.get(account)
      if (others) others.add(connection)
      else byAccount.set(account, new Set([connection]))
      size += 1
      open[transport].inc()
      // Its subscription begins in this turn.
      if (isRetiring) setImmediate(() => connection.end(SERVICE_RESTART))
    },
    remove(connection, transport) {
      const account = connection.caller.viewer.id
      const others = byAccount.get(account)
      if (!others?.delete(connection)) return
      if (others.size === 0) byAccount.delete(account)
      size -= 1
      open[transport].dec()
    },
    sent(transport, count) {
      sent[transport].count += count
    },
    tooSlow: transport => metrics.errors.inc({ part: `streaming_slow_${transport}` }),
    interrupted: transport => metrics.errors.inc({ part: `streaming_interrupted_${transport}` }),
    disconnectToResume(account) {
      for (const connection of byAccount.get(account) ?? []) connection.disconnectToResume()
    },
    endAll() {
      for (const connections of byAccount.values()) for (const connection of connections) connection.end(1001)
    },
    restart,
    retire() {
      isRetiring = true
      return restart()
    },
    get size() {
      return size
    },
  }
}
