import { StreamError, type Caller } from './access.ts'
import { SocketEncoder } from './frame.ts'
import type { ClientMessage } from './message.ts'
import type { Connection, Definition, Parameter, ChannelKey, StreamType, Subscriptions } from './subscriptions.ts'

/** The limit of client messages that wait for earlier ones. */
const MAX_PENDING = 1000
const MAX_SUBSCRIPTIONS = 1000
/**
 * The limit of all characters by which a connection names its subscriptions: a thousand long
 * hashtags would take 20 MB.
 */
const MAX_NAME_CHARACTERS = 64 * 1024

/** A connection on which the client subscribes to streams. */
export interface Peer<R> extends Connection<R> {
  /** Whether messages carry the id that clients resume from. */
  readonly withIds: boolean
  /** The number of client messages in progress or waiting. */
  pending: number
  /** The processing of the last message; undefined when idle. */
  taking: Promise<void> | undefined
  sendError(error: string, status?: number): void
}

/** A subscription that is ready to start. */
export interface Admitted<R> {
  readonly type: StreamType<R>
  readonly channelKey: ChannelKey
  readonly reader: R
}

/** Handles the messages that clients send on WebSockets. */
export interface Protocol<R> {
  /**
   * Checks everything that a subscription needs.
   * @throws StreamError
   */
  admit(caller: Caller, stream: string | undefined, parameter: Parameter): Promise<Admitted<R>>
  /** @param from the id to resume after; empty to only receive ids; undefined for neither */
  begin(peer: Peer<R>, admitted: Admitted<R>, from: string | undefined): void
  /** Handles a message after all earlier messages of the client. */
  receive(peer: Peer<R>, message: ClientMessage): void
  /** Sends the client the error that its request caused. */
  sendFailure(peer: Peer<R>, error: unknown): void
}

/** Whether the connection may have one more subscription, with this name. */
function hasRoom(entries: Peer<unknown>['entries'], channelKey: ChannelKey): boolean {
  if (entries.length >= MAX_SUBSCRIPTIONS) return false
  let characters = charactersOf(channelKey)
  for (const entry of entries) characters += charactersOf(entry.channelKey)
  return characters <= MAX_NAME_CHARACTERS
}

const charactersOf = ({ name, label }: ChannelKey): number => name.length + (label.at(-1)?.length ?? 0)

/** Returns a function that finds a stream type by its name. */
function createTypeFinder<R>(definition: Definition<R>): (stream: string | undefined) => StreamType<R> {
  const types = new Map(definition.types.map(type => [type.name, type]))
  return stream => {
    const type = stream === undefined ? undefined : types.get(stream)
    if (!type) throw new StreamError(400, 'Unknown stream type')
    return type
  }
}

/** @param onFailure called for requests that failed through no fault of the client */
export function createProtocol<R>(
  definition: Definition<R>,
  subscriptions: Subscriptions<R>,
  onFailure: (error: unknown) => void,
): Protocol<R> {
  const find = createTypeFinder(definition)

  async function admit(caller: Caller, stream: string | undefined, parameter: Parameter): Promise<Admitted<R>> {
    const type = find(stream)
    subscriptions.requireScope(caller, type)
    const channelKey = type.locate(caller, parameter)
    return { type, channelKey, reader: await type.admit(caller, channelKey) }
  }

  function begin(peer: Peer<R>, admitted: Admitted<R>, from: string | undefined): void {
    // A client that resumes will want to resume again.
    const withIds = peer.withIds || from !== undefined
    const { label } = admitted.channelKey
    const key = `${withIds ? 'ids' : ''}${JSON.stringify(label)}`
    subscriptions.begin(peer, admitted, { encoder: new SocketEncoder(label, withIds), key }, from)
  }

  async function subscribe(peer: Peer<R>, { stream, parameter }: ClientMessage): Promise<void> {
    const { caller } = peer
    const type = find(stream)
    subscriptions.requireScope(caller, type)
    const channelKey = type.locate(caller, parameter)
    if (subscriptions.find(peer, channelKey)) return
    if (!hasRoom(peer.entries, channelKey)) throw new StreamError(400, 'Too many subscriptions')
    const admitted = await admit(caller, stream, parameter)
    if (peer.closed) definition.release(admitted.reader)
    else begin(peer, admitted, parameter('last_event_id'))
  }

  function unsubscribe(peer: Peer<R>, { stream, parameter }: ClientMessage): void {
    try {
      const entry = subscriptions.find(peer, find(stream).locate(peer.caller, parameter))
      if (entry) subscriptions.end(peer, entry)
    } catch (error) {
      if (!(error instanceof StreamError)) onFailure(error)
      peer.sendError('Error unsubscribing from channel')
    }
  }

  function sendFailure(peer: Peer<R>, error: unknown): void {
    if (error instanceof StreamError) return peer.sendError(error.message, error.status)
    onFailure(error)
    peer.sendError('An unexpected error occurred', 500)
  }

  async function take(peer: Peer<R>, before: Promise<void> | undefined, message: ClientMessage): Promise<void> {
    await before
    try {
      if (peer.closed) return
      if (message.type === 'unsubscribe') unsubscribe(peer, message)
      else await subscribe(peer, message)
    } catch (error) {
      sendFailure(peer, error)
    } finally {
      peer.pending -= 1
      if (peer.pending === 0) peer.taking = undefined
    }
  }

  return {
    admit,
    begin,
    sendFailure,
    receive(peer, message) {
      if (peer.pending >= MAX_PENDING) return peer.end(1008)
      peer.pending += 1
      peer.taking = take(peer, peer.taking, message)
    },
  }
}
