import { compareCursors, type Cursor } from '../events/index.ts'
import type { StreamError } from './access.ts'
import type { Frame, Encoder } from './frame.ts'

/** Where the messages of a subscription go. */
export interface Subscriber {
  /** Never throws and never waits; a reader that is too slow is cut off by it. */
  send(message: string | Buffer): void
  /** Resolves when what was sent has been taken, or the reader is gone; undefined when nothing waits. */
  drained(): Promise<void> | undefined
  /** A subscription ends from this side, as when its list was deleted. */
  dismiss(subscription: Subscription<unknown>, refusal: StreamError): void
  /** Something for it is missing: the connection ends before anything comes after it, so that the client comes back and resumes. */
  interrupt(): void
  readonly closed: boolean
}

/** A reader of a channel. */
export class Subscription<R> {
  readonly subscriber: Subscriber
  readonly reader: R
  readonly wording: Encoder
  /** Tells wordings that are the same. */
  readonly wordingKey: string
  /** Frames up to here are not for it, because it has had them. */
  after: Cursor | undefined
  ended = false

  constructor(subscriber: Subscriber, reader: R, wording: Encoder, wordingKey: string) {
    this.subscriber = subscriber
    this.reader = reader
    this.wording = wording
    this.wordingKey = wordingKey
  }
}

/** Subscriptions that get the same bytes, unless their reader gets an end of its own. */
interface Group<R> {
  readonly wording: Encoder
  readonly members: Set<Subscription<R>>
}

/** One stream of frames and those who read it: `hashtag` and `tea`, `user` and an account's id. */
export class Channel<R> {
  readonly family: string
  readonly name: string
  readonly #groups = new Map<string, Group<R>>()

  constructor(family: string, name: string) {
    this.family = family
    this.name = name
  }

  /** How many read it. */
  get size(): number {
    let size = 0
    for (const { members } of this.#groups.values()) size += members.size
    return size
  }

  /** One of its readers: of a channel with one person's own view any will do. */
  anyReader(): R | undefined {
    for (const { members } of this.#groups.values()) for (const { reader } of members) return reader
    return undefined
  }

  /** Ends all of its subscriptions. */
  dismiss(refusal: StreamError): void {
    for (const { members } of this.#groups.values()) {
      for (const subscription of members) subscription.subscriber.dismiss(subscription, refusal)
    }
  }

  /** Ends the connections of all who read it. */
  interrupt(): void {
    for (const { members } of this.#groups.values()) {
      for (const { subscriber } of members) subscriber.interrupt()
    }
  }

  add(subscription: Subscription<R>): void {
    const { wordingKey, wording } = subscription
    const group = this.#groups.get(wordingKey)
    if (group) group.members.add(subscription)
    else this.#groups.set(wordingKey, { wording, members: new Set([subscription]) })
  }

  remove(subscription: Subscription<R>): void {
    const group = this.#groups.get(subscription.wordingKey)
    if (group?.members.delete(subscription) && group.members.size === 0) this.#groups.delete(subscription.wordingKey)
  }

  /**
   * Sends a frame to all who get it, made into bytes once for those with the same wording.
   * @param worded where other channels that get the same frame have left, or are to find, its bytes
   * @returns how many got it
   */
  deliver(frame: Frame<R>, id: Cursor, onError: (error: unknown) => void, worded?: EncodedMessages): number {
    let sent = 0
    for (const [key, group] of this.#groups) sent += deliverToGroup(group, frame, id, onError, worded?.of(frame, key))
    return sent
  }
}

/** The messages that frames of one event have become, for frames that several channels share. */
export class EncodedMessages {
  readonly #byFrame = new Map<Frame<never>, Map<string, ChannelKey>>()

  /** Where the message of a frame is kept for all with the same wording. */
  of(frame: Frame<never>, wordingKey: string): ChannelKey {
    let places = this.#byFrame.get(frame)
    if (!places) this.#byFrame.set(frame, (places = new Map()))
    let place = places.get(wordingKey)
    if (!place) places.set(wordingKey, (place = { message: undefined }))
    return place
  }
}

interface ChannelKey {
  message: string | Buffer | undefined
}

function deliverToGroup<R>(
  { wording, members }: Group<R>,
  frame: Frame<R>,
  id: Cursor,
  onError: (error: unknown) => void,
  place: ChannelKey | undefined,
): number {
  const usual = frame.end ?? ''
  let before: string | undefined
  let shared: string | Buffer | undefined
  let sent = 0

  const word = (end: string): string => (before ??= wording.before(frame, id)) + wording.after(frame, end, id)

  /** The message that most readers get. */
  function usualMessage(): string | Buffer {
    if (!place) return encode(word(usual), members.size)
    // What is sent a second time is sent many times.
    place.message =
      typeof place.message === 'string'
        ? Buffer.from(place.message)
        : (place.message ?? encode(word(usual), members.size))
    return place.message
  }

  for (const subscription of members) {
    if (subscription.after !== undefined) {
      if (compareCursors(id, subscription.after) <= 0) continue
      subscription.after = undefined
    }
    try {
      const end = frame.endFor ? frame.endFor(subscription.reader) : usual
      if (end === undefined) continue
      subscription.subscriber.send(end === usual ? (shared ??= usualMessage()) : word(end))
      sent += 1
    } catch (error) {
      onError(error)
    }
  }
  return sent
}

/** The native side takes bytes as they are and converts a string anew for each reader. */
const encode = (text: string, readers: number): string | Buffer => (readers > 1 ? Buffer.from(text) : text)
