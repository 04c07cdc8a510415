import type { EventLog, ReplayFilter } from '../events/index.ts'
import type { Metrics } from '../metrics/index.ts'
import { grants, type Scope } from '../../core/scopes.ts'
import { StreamError, type Caller } from './access.ts'
import { Subscription, type Subscriber } from './channel.ts'
import type { Encoder } from './frame.ts'
import type { Hub, Routes } from './hub.ts'
import type { Resumer } from './resume.ts'

/** A parameter of a subscription by its name, as the client gave it; undefined when it gave none. */
export type Parameter = (name: string) => string | undefined

/** Where a subscription leads: the channel, and what the client calls it. */
export interface Place {
  readonly family: string
  readonly name: string
  /** `stream` of a WebSocket's messages: the name, and the tag or list as the client wrote it. */
  readonly label: readonly string[]
}

/** One of the streams that a client can ask for by name. */
export interface StreamType<R> {
  readonly name: string
  readonly scope: Scope
  /** @throws Refusal when a parameter is missing */
  locate(caller: Caller, parameter: Parameter): Place
  /** What is known of the reader, for as long as it reads; given back by `release`. @throws Refusal */
  admit(caller: Caller, place: Place): Promise<R>
  /** What of the log can concern the channel. */
  replays(caller: Caller): ReplayFilter
}

/** All that the domain says of its streams. */
export interface Definition<R> extends Routes<R> {
  readonly types: readonly StreamType<R>[]
  release(reader: R): void
}

/** A connection, whatever its transport. */
export interface Connection<R> extends Subscriber {
  /** Changes with the user. */
  caller: Caller
  readonly entries: Entry<R>[]
  /** Ends it from this side: 1000 when the user may stream no more, 1001 when the server stops. */
  end(code: number): void
}

/** A subscription of a connection. */
export interface Entry<R> {
  readonly type: StreamType<R>
  readonly place: Place
  readonly subscription: Subscription<R>
  /** False while it replays. */
  live: boolean
}

/** The subscriptions of connections: admitted, begun (where the client left off), ended. */
export interface Subscriptions<R> {
  /** @throws Refusal 401 when the token does not open the stream */
  requireScope(caller: Caller, type: StreamType<R>): void
  find(connection: Connection<R>, place: Place): Entry<R> | undefined
  /** @param from the id that the client resumes by; undefined or empty: it wants what comes from now on */
  begin(
    connection: Connection<R>,
    admitted: { type: StreamType<R>; place: Place; reader: R },
    wording: { wording: Encoder; key: string },
    from: string | undefined,
  ): void
  end(connection: Connection<R>, entry: Entry<R>): void
  endAll(connection: Connection<R>): void
}

export function createSubscriptions<R>(parts: {
  definition: Definition<R>
  hub: Hub<R>
  resumer: Resumer<R>
  events: Pick<EventLog, 'position'>
  metrics: Pick<Metrics, 'subscriptions'>
  /** Hears why connections are interrupted. */
  interrupted: (error: unknown) => void
}): Subscriptions<R> {
  const { definition, hub, resumer, events, metrics, interrupted } = parts

  function join(entry: Entry<R>): void {
    const { place, subscription } = entry
    if (subscription.ended) return
    entry.live = true
    hub.join(place.family, place.name, subscription)
  }

  /** The client's id leads nowhere: it is told to load anew, and gets what comes from now on. */
  function startAnew(entry: Entry<R>): void {
    const { subscription } = entry
    const position = events.position()
    const { wording, subscriber } = subscription
    const frame = { event: 'reload', payload: undefined }
    if (!subscription.ended) subscriber.send(wording.before(frame, position) + wording.after(frame, '', position))
    subscription.after = position
    join(entry)
  }

  async function resume(connection: Connection<R>, entry: Entry<R>, from: string): Promise<void> {
    const { type, place, subscription } = entry
    const missed = {
      family: place.family,
      name: place.name,
      subscription,
      filter: type.replays(connection.caller),
    }
    try {
      if (await resumer.resume(missed, from, () => join(entry))) return
    } catch (error) {
      // What has been sent is a beginning of what was missed. The client comes back with the last id that it got.
      interrupted(error)
      connection.interrupt()
      return
    }
    startAnew(entry)
  }

  function end(connection: Connection<R>, entry: Entry<R>): void {
    const { place, subscription } = entry
    if (subscription.ended) return
    subscription.ended = true
    metrics.subscriptions.dec({ stream: entry.type.name })
    const at = connection.entries.indexOf(entry)
    if (at >= 0) connection.entries.splice(at, 1)
    if (entry.live) hub.leave(place.family, place.name, subscription)
    definition.release(subscription.reader)
  }

  return {
    requireScope({ token }, { scope }) {
      if (!grants(token.scopes, scope)) throw new StreamError(401, 'Access token does not have the required scopes')
    },
    find: (connection, { family, name }) =>
      connection.entries.find(({ place }) => place.name === name && place.family === family),
    begin(connection, { type, place, reader }, { wording, key }, from) {
      const subscription = new Subscription<R>(connection, reader, wording, key)
      const entry: Entry<R> = { type, place, subscription, live: false }
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
