import { StreamError, type Caller } from './access.ts'
import { SocketEncoder } from './frame.ts'
import type { ClientMessage } from './message.ts'
import type { Connection, Definition, Parameter, Place, StreamType, Subscriptions } from './subscriptions.ts'

/** Messages of a client that may wait for those before them. */
const MAX_PENDING = 1000
const MAX_SUBSCRIPTIONS = 1000

/** A connection on which the client asks for streams. */
export interface Peer<R> extends Connection<R> {
  /** Whether messages carry the id that the client resumes by. */
  readonly withIds: boolean
  /** How many messages of the client are being taken or wait for it. */
  pending: number
  /** The taking of the last of them; undefined when none is taken. */
  taking: Promise<void> | undefined
  /** Sends an error. */
  tell(error: string, status?: number): void
}

/** A subscription that may begin. */
export interface Admitted<R> {
  readonly type: StreamType<R>
  readonly place: Place
  readonly reader: R
}

/** What clients say on their sockets, and what comes of it (api/streaming.md, "client to server"). */
export interface Protocol<R> {
  /** Checks everything that a subscription needs. @throws Refusal */
  admit(caller: Caller, stream: string | undefined, parameter: Parameter): Promise<Admitted<R>>
  /** @param from the id that the client resumes by, empty to be given ids; undefined without */
  begin(talker: Peer<R>, admitted: Admitted<R>, from: string | undefined): void
  /** Does what the message asks for, after what the messages before it asked for. */
  receive(talker: Peer<R>, message: ClientMessage): void
  /** Tells the client what went wrong. */
  tellFailure(talker: Peer<R>, error: unknown): void
}

/** @param failed hears of what clients asked for and could not be done, for a reason that is not theirs */
export function createProtocol<R>(
  definition: Definition<R>,
  subscriptions: Subscriptions<R>,
  failed: (error: unknown) => void,
): Protocol<R> {
  const types = new Map(definition.types.map(type => [type.name, type]))

  function find(stream: string | undefined): StreamType<R> {
    const type = stream === undefined ? undefined : types.get(stream)
    if (!type) throw new StreamError(400, 'Unknown stream type')
    return type
  }

  async function admit(caller: Caller, stream: string | undefined, parameter: Parameter): Promise<Admitted<R>> {
    const type = find(stream)
    subscriptions.requireScope(caller, type)
    const place = type.locate(caller, parameter)
    return { type, place, reader: await type.admit(caller, place) }
  }

  function begin(talker: Peer<R>, admitted: Admitted<R>, from: string | undefined): void {
    // Who resumes will want to resume again.
    const withIds = talker.withIds || from !== undefined
    const { label } = admitted.place
    const key = `${withIds ? 'ids' : ''}${JSON.stringify(label)}`
    subscriptions.begin(talker, admitted, { wording: new SocketEncoder(label, withIds), key }, from)
  }

  async function subscribe(talker: Peer<R>, { stream, parameter }: ClientMessage): Promise<void> {
    const { caller } = talker
    const type = find(stream)
    subscriptions.requireScope(caller, type)
    if (subscriptions.find(talker, type.locate(caller, parameter))) return
    if (talker.entries.length >= MAX_SUBSCRIPTIONS) throw new StreamError(400, 'Too many subscriptions')
    const admitted = await admit(caller, stream, parameter)
    if (talker.closed) definition.release(admitted.reader)
    else begin(talker, admitted, parameter('last_event_id'))
  }

  function unsubscribe(talker: Peer<R>, { stream, parameter }: ClientMessage): void {
    try {
      const entry = subscriptions.find(talker, find(stream).locate(talker.caller, parameter))
      if (entry) subscriptions.end(talker, entry)
    } catch (error) {
      if (!(error instanceof StreamError)) failed(error)
      talker.tell('Error unsubscribing from channel')
    }
  }

  function tellFailure(talker: Peer<R>, error: unknown): void {
    if (error instanceof StreamError) return talker.tell(error.message, error.status)
    failed(error)
    talker.tell('An unexpected error occurred', 500)
  }

  async function take(talker: Peer<R>, before: Promise<void> | undefined, message: ClientMessage): Promise<void> {
    await before
    try {
      if (talker.closed) return
      if (message.type === 'unsubscribe') unsubscribe(talker, message)
      else await subscribe(talker, message)
    } catch (error) {
      tellFailure(talker, error)
    } finally {
      talker.pending -= 1
      if (talker.pending === 0) talker.taking = undefined
    }
  }

  return {
    admit,
    begin,
    tellFailure,
    receive(talker, message) {
      if (talker.pending >= MAX_PENDING) return talker.end(1008)
      talker.pending += 1
      talker.taking = take(talker, talker.taking, message)
    },
  }
}
