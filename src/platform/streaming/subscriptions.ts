import type { Cursor, EventLog, ReplayFilter } from '../events/index.ts'
import type { Metrics } from '../metrics/index.ts'
import { grants, type Scope } from '../../core/scopes.ts'
import { StreamError, type Caller } from './access.ts'
import { Subscription, type Subscriber } from './channel.ts'
import type { Encoder } from './frame.ts'
import type { Hub, Routes } from './hub.ts'
import type { Resumer } from './resume.ts'

/** Returns a subscription's parameter by name; undefined when the client did not send it. */
export type Parameter = (name: string) => string | undefined

/** The channel of a subscription, and the label that the client knows it by. */
export interface ChannelKey {
  readonly family: string
  readonly name: string
  /**
   * `stream` in WebSocket messages: the stream's name, and the tag or list as the client wrote it.
   */
  readonly label: readonly string[]
}

/** A stream that clients can subscribe to by name. */
export interface StreamType<R> {
  readonly name: string
  readonly scope: Scope
  /** @throws StreamError when a parameter is missing */
  locate(caller: Caller, parameter: Parameter): ChannelKey
  /**
   * Creates the record of a reader, which `release` frees.
   * @throws StreamError
   */
  admit(caller: Caller, channelKey: ChannelKey): Promise<R>
  /** Selects the events that the channel may need. */
  replays(caller: Caller): ReplayFilter
}

/** The domain's declaration of its streams. */
export interface Definition<R> extends Routes<R> {
  readonly types: readonly StreamType<R>[]
  release(reader: R): void
}

/** A connection of any transport. */
export interface Connection<R> extends Subscriber {
  /** Replaced when the user changes. */
  caller: Caller
  readonly entries: Entry<R>[]
  /**
   * Ends the connection from the server's side: 1000 when the user may no longer stream, 1001 when
   * the server stops, 1012 when its client is to open another.
   */
  end(code: number): void
}

/** One subscription of a connection. */
export interface Entry<R> {
  readonly type: StreamType<R>
  readonly channelKey: ChannelKey
  readonly subscription: Subscription<R>
  /** False while past events are replayed. */
  live: boolean
}

/** Admits, starts, resumes and ends the subscriptions of connections. */
export interface Subscriptions<R> {
  /** @throws StreamError 401 when the token lacks the stream's scope */
  requireScope(caller: Caller, type: StreamType<R>): void
  find(connection: Connection<R>, channelKey: ChannelKey): Entry<R> | undefined
  /** @param from the id to resume after; undefined or empty starts with new events */
  begin(
    connection: Connection<R>,
    admitted: { type: StreamType<R>; channelKey: ChannelKey; reader: R },
    encoder: { encoder: Encoder; key: string },
    from: string | undefined,
  ): void
  end(connection: Connection<R>, entry: Entry<R>): void
  endAll(connection: Connection<R>): void
}

function sendReload({ encoder, subscriber, ended }: Subscription<unknown>, position: Cursor): void {
  const frame = { event: 'reload', payload: undefined }
  if (!ended) subscriber.send(encoder.before(frame, position) + encoder.after(frame, '', position))
}

export function createSubscriptions<R>(parts: {
  definition: Definition<R>
  hub: Hub<R>
  resumer: Resumer<R>
  events: Pick<EventLog, 'position'>
  metrics: Pick<Metrics, 'subscriptions'>
  /** Called with the reason why a connection is closed. */
  onInterrupted: (error: unknown) => void
}): Subscriptions<R> {
  const { definition, hub, resumer, events, metrics, onInterrupted } = parts

  function join(entry: Entry<R>): void {
    const { channelKey, subscription } = entry
    if (subscription.ended) return
    entry.live = true
    hub.join(channelKey.family, channelKey.name, subscription)
  }

  /** The client's id is unknown: asks the client to reload, and continues with new events. */
  function startWithReload(entry: Entry<R>): void {
    const position = events.position()
    sendReload(entry.subscription, position)
    entry.subscription.after = position
    join(entry)
  }

  async function resume(connection: Connection<R>, entry: Entry<R>, from: string): Promise<void> {
    const { type, channelKey, subscription } = entry
    const missed = {
      owner: connection.caller.viewer.id,
      family: channelKey.family,
      name: channelKey.name,
      subscription,
      filter: type.replays(connection.caller),
    }
    try {
      if (await resumer.resume(missed, from, () => join(entry))) return
    } catch (error) {
      // Only the first missed events have been sent. The client reconnects with the last id it
      // received.
      onInterrupted(error)
      connection.disconnectToResume()
      return
    }
    startWithReload(entry)
  }

  function end(connection: Connection<R>, entry: Entry<R>): void {
    const { channelKey, subscription } = entry
    if (subscription.ended) return
    subscription.ended = true
    metrics.subscriptions.dec({ stream: entry.type.name })
    const at = connection.entries.indexOf(entry)
    if (at >= 0) connection.entries.splice(at, 1)
    if (entry.live) hub.leave(channelKey.family, channelKey.name, subscription)
    definition.release(subscription.reader)
  }

  return {
    requireScope({ token }, { scope }) {
      if (!grants(token.scopes, scope)) throw new StreamError(401, 'Access token does not have the required scopes')
    },
    find: (connection, { family, name }) =>
      connection.entries.find(({ channelKey }) => channelKey.name === name && channelKey.family === family),
    begin(connection, { type, channelKey, reader }, { encoder, key }, from) {
      const subscription = new Subscription<R>(connection, reader, encoder, key)
      const entry: Entry<R> = { type, channelKey, subscription, live: false }
      connection.entries.push(entry)
      metrics.subscriptions.inc({ stream: type.name })
      if (from === undefined || from === '') join(entry)
      else void resume(connection, entry, from)
    },
    end,
    endAll(connection) {
      while (connection.entries[0]) end(connection, connection.entries[0])
    },
  }
}
