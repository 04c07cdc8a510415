import type { Id } from '../../core/id.ts'
import { compareCursors, cursorOf, parseCursor, type Cursor, type EventLog, type LoggedEvent } from '../events/index.ts'
import type { ReplayFilter } from '../events/index.ts'
import { StreamError } from './access.ts'
import { Channel, type Subscriber, type Subscription } from './channel.ts'
import { prepare, RenderFailure, settle } from './delivery.ts'
import { framesOf } from './frame.ts'
import { deliveriesOf, type Routes } from './hub.ts'
import type { OpenChannels } from './open_channels.ts'
import { createTurns } from './turns.ts'

/** A subscription that resumes, and its channel. */
export interface Missed<R> {
  /** The account. */
  readonly owner: Id
  readonly family: string
  readonly name: string
  readonly subscription: Subscription<R>
  /** Selects the events that the channel consists of. */
  readonly filter: ReplayFilter
}

export interface Resumer<R> {
  /**
   * Sends the events after `from`, by the same routes and rules as live events, and then calls
   * `join` synchronously to make the subscription live, so that no event is missed or repeated.
   * Rejects when the events could not be read or rendered; only the first of them may have been
   * sent by then.
   * @param from as the client sent it
   * @returns false when the log does not reach back to it or the text is not a valid id: the client
   * must reload
   */
  resume(missed: Missed<R>, from: string, join: () => void): Promise<boolean>
}

/**
 * The number of replays that run at once: after an outage all clients reconnect within a second and
 * read the same log.
 */
const REPLAYS = 8
/**
 * The limit for one account, whose readers may all be slow, with those that wait for their reader:
 * each holds a page of events.
 */
const REPLAYS_OF_ONE = 4
/** The number of events that a replay renders at once, and sends before it waits for its reader. */
const WIDTH = 16
/** A replay waits for its reader when this much is sent: sockets buffer 256 kB. */
const WAITING_BYTES = 64 * 1024
/** A reader who takes longer for these is disconnected, and resumes after what it has got. */
const DRAIN_MS = 60_000

/** Renders a few events at once and sends them in order. Throws what kept one from rendering. */
async function sendSome<R>(
  some: readonly LoggedEvent[],
  channels: OpenChannels<R>,
  subscription: Subscription<R>,
  routes: Routes<R>['routes'],
  { onError, waitFor }: { onError(error: unknown): void; waitFor(subscriber: Subscriber): Promise<void> },
): Promise<void> {
  const made = some.flatMap(event => {
    const deliveries = deliveriesOf(routes, event.kind, event, channels, false)
    return deliveries.length === 0 ? [] : [Promise.resolve(settle(cursorOf(event), deliveries, onError))]
  })
  for (const { id, deliveries } of await Promise.all(made)) {
    await prepare(deliveries)
    for (const { channel, frame } of deliveries) {
      if (frame instanceof RenderFailure) throw frame.cause
      // An ended channel has already refused its reader on admission, so its past end is skipped.
      if (frame instanceof StreamError || subscription.ended) continue
      for (const one of framesOf(frame)) channel.deliver(one, id, onError)
      if (subscription.subscriber.waitingBytes >= WAITING_BYTES) await waitFor(subscription.subscriber)
    }
  }
}

export function createResumer<R>(
  events: Pick<EventLog, 'position' | 'replay'>,
  routes: Routes<R>['routes'],
  onError: (error: unknown) => void,
  drainMs = DRAIN_MS,
): Resumer<R> {
  const turns = createTurns(REPLAYS, REPLAYS_OF_ONE)

  /** Waits for the reader without keeping others from resuming. */
  async function waitFor(subscriber: Subscriber): Promise<void> {
    const drained = subscriber.drained()
    if (!drained) return
    turns.pause()
    const timer = setTimeout(() => subscriber.disconnectToResume(), drainMs)
    await drained
    clearTimeout(timer)
    await turns.goOn()
  }

  /** Sends a page, a few events at a time. @returns false when nobody receives it any more */
  async function send(page: readonly LoggedEvent[], channels: OpenChannels<R>, missed: Missed<R>): Promise<boolean> {
    const { subscription } = missed
    const { subscriber } = subscription
    for (let at = 0; at < page.length; at += WIDTH) {
      await sendSome(page.slice(at, at + WIDTH), channels, subscription, routes, { onError, waitFor })
      await waitFor(subscriber)
      if (subscriber.closed || subscription.ended) return false
    }
    return true
  }

  async function catchUp(missed: Missed<R>, from: Cursor, join: () => void): Promise<boolean> {
    const { family, name, subscription, filter } = missed
    if (subscription.subscriber.closed || subscription.ended) return true
    const channel = new Channel<R>(family, name)
    channel.add(subscription)
    const channels: OpenChannels<R> = {
      get: (otherFamily, otherName) => (otherFamily === family && otherName === name ? channel : undefined),
      all: other => (other === family ? [channel] : []),
      has: other => other === family,
    }
    for (let position = from; ;) {
      const last = events.position()
      const pages = await events.replay(position, filter)
      if (!pages) return false
      for await (const page of pages) {
        if (!(await send(page, channels, missed))) return true
        const sent = page.at(-1)
        if (sent) position = cursorOf(sent)
      }
      if (compareCursors(position, last) < 0) position = last
      // Nothing is awaited between this check and `join`. `after` skips frames that are already on
      // their way.
      if (events.position() !== last) continue
      subscription.after = position
      join()
      return true
    }
  }

  return {
    async resume(missed, from, join) {
      const cursor = parseCursor(from)
      if (cursor === undefined) return false
      await turns.enter(missed.owner)
      try {
        return await catchUp(missed, cursor, join)
      } finally {
        turns.leave(missed.owner)
      }
    },
  }
}
