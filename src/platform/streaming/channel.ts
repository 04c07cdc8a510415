import { compareCursors, type Cursor } from '../events/index.ts'
import type { StreamError } from './access.ts'
import type { Frame, Encoder } from './frame.ts'

/** Receives the messages of a subscription. */
export interface Subscriber {
  /** Never throws and never waits; disconnects a reader that is too slow. */
  send(message: string | Buffer): void
  /**
   * Resolves when the buffer is empty or the reader has disconnected; undefined when nothing is
   * buffered.
   */
  drained(): Promise<void> | undefined
  /** The size of what is sent together with the next messages. */
  readonly waitingBytes: number
  /** Ends one subscription from the server's side, for example because its list was deleted. */
  endWithError(subscription: Subscription<unknown>, error: StreamError): void
  /**
   * Closes the connection when an event could not be delivered, so that the client reconnects and
   * resumes without a gap.
   */
  disconnectToResume(): void
  readonly closed: boolean
}

/** One reader of a channel. */
export class Subscription<R> {
  readonly subscriber: Subscriber
  readonly reader: R
  readonly encoder: Encoder
  /** Equal for encoders with equal output. */
  readonly encoderKey: string
  /** Frames up to this cursor are skipped: the replay has sent them. */
  after: Cursor | undefined
  ended = false

  constructor(subscriber: Subscriber, reader: R, encoder: Encoder, encoderKey: string) {
    this.subscriber = subscriber
    this.reader = reader
    this.encoder = encoder
    this.encoderKey = encoderKey
  }
}

/** Subscriptions that get the same bytes, unless their reader has an `end` of its own. */
interface Group<R> {
  readonly encoder: Encoder
  readonly members: Set<Subscription<R>>
}

/** One stream of frames and its readers: `hashtag` and `tea`, or `user` and an account's id. */
export class Channel<R> {
  readonly family: string
  readonly name: string
  readonly #groups = new Map<string, Group<R>>()

  constructor(family: string, name: string) {
    this.family = family
    this.name = name
  }

  get size(): number {
    let size = 0
    for (const { members } of this.#groups.values()) size += members.size
    return size
  }

  *readers(): Iterable<R> {
    for (const { members } of this.#groups.values()) for (const { reader } of members) yield reader
  }

  /** Any reader will do for a channel that belongs to one account. */
  anyReader(): R | undefined {
    for (const { members } of this.#groups.values()) for (const { reader } of members) return reader
    return undefined
  }

  /** Ends all subscriptions of the channel. */
  endWithError(error: StreamError): void {
    for (const { members } of this.#groups.values()) {
      for (const subscription of members) subscription.subscriber.endWithError(subscription, error)
    }
  }

  /** Closes the connections of all readers, so that they resume. */
  disconnectToResume(): void {
    for (const { members } of this.#groups.values()) {
      for (const { subscriber } of members) subscriber.disconnectToResume()
    }
  }

  add(subscription: Subscription<R>): void {
    const { encoderKey, encoder } = subscription
    const group = this.#groups.get(encoderKey)
    if (group) group.members.add(subscription)
    else this.#groups.set(encoderKey, { encoder, members: new Set([subscription]) })
  }

  remove(subscription: Subscription<R>): void {
    const group = this.#groups.get(subscription.encoderKey)
    if (group?.members.delete(subscription) && group.members.size === 0) this.#groups.delete(subscription.encoderKey)
  }

  /**
   * Sends a frame to its readers. It is encoded once for all with the same encoder.
   * @param encoded messages shared with other channels that get the same frame
   * @returns the number of recipients
   */
  deliver(frame: Frame<R>, id: Cursor, onError: (error: unknown) => void, encoded?: EncodedMessages): number {
    let sent = 0
    for (const [key, group] of this.#groups) {
      const message = encoded?.of(frame, key)
      sent +=
        message?.encoded instanceof Buffer && !frame.endFor
          ? sendToAll(group.members, message.encoded, id, onError)
          : deliverToGroup(group, frame, id, onError, message)
    }
    return sent
  }
}

/** The encoded messages of one event, for frames that several channels share. */
export class EncodedMessages {
  readonly #byFrame = new Map<Frame<never>, Map<string, SharedMessage>>()
  /** The last one: nearly all channels ask for the same. */
  #last: { readonly frame: Frame<never>; readonly encoderKey: string; readonly message: SharedMessage } | undefined

  /** The message of a frame, shared by all readers with the same encoder. */
  of(frame: Frame<never>, encoderKey: string): SharedMessage {
    if (this.#last?.frame === frame && this.#last.encoderKey === encoderKey) return this.#last.message
    const message = this.#find(frame, encoderKey)
    this.#last = { frame, encoderKey, message }
    return message
  }

  #find(frame: Frame<never>, encoderKey: string): SharedMessage {
    let messages = this.#byFrame.get(frame)
    if (!messages) this.#byFrame.set(frame, (messages = new Map()))
    let message = messages.get(encoderKey)
    if (!message) messages.set(encoderKey, (message = { encoded: undefined }))
    return message
  }
}

interface SharedMessage {
  encoded: string | Buffer | undefined
}

/** Whether the frame comes after what the replay has sent to the reader. */
function isNewFor<R>(subscription: Subscription<R>, id: Cursor): boolean {
  if (subscription.after === undefined) return true
  if (compareCursors(id, subscription.after) <= 0) return false
  subscription.after = undefined
  return true
}

/** Sends a message that is encoded already and the same for all. */
function sendToAll<R>(
  members: Iterable<Subscription<R>>,
  bytes: Buffer,
  id: Cursor,
  onError: (error: unknown) => void,
): number {
  let sent = 0
  for (const subscription of members) {
    if (!isNewFor(subscription, id)) continue
    try {
      subscription.subscriber.send(bytes)
      sent += 1
    } catch (error) {
      onError(error)
    }
  }
  return sent
}

function deliverToGroup<R>(
  { encoder, members }: Group<R>,
  frame: Frame<R>,
  id: Cursor,
  onError: (error: unknown) => void,
  message: SharedMessage | undefined,
): number {
  const usual = frame.end ?? ''
  let before: string | undefined
  let shared: string | Buffer | undefined
  let sent = 0

  const encodeWith = (end: string): string => (before ??= encoder.before(frame, id)) + encoder.after(frame, end, id)

  /** The message that most readers get. */
  function usualMessage(): string | Buffer {
    if (!message) return toBytes(encodeWith(usual), members.size)
    // A message that is needed a second time is usually needed many times.
    message.encoded =
      typeof message.encoded === 'string'
        ? Buffer.from(message.encoded)
        : (message.encoded ?? toBytes(encodeWith(usual), members.size))
    return message.encoded
  }

  for (const subscription of members) {
    if (!isNewFor(subscription, id)) continue
    try {
      const end = frame.endFor ? frame.endFor(subscription.reader) : usual
      if (end === undefined) continue
      subscription.subscriber.send(end === usual ? (shared ??= usualMessage()) : encodeWith(end))
      sent += 1
    } catch (error) {
      onError(error)
    }
  }
  return sent
}

/** uWebSockets.js sends bytes as they are but converts a string again for each reader. */
const toBytes = (text: string, readers: number): string | Buffer => (readers > 1 ? Buffer.from(text) : text)
