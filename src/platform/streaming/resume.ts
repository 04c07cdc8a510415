import { compareCursors, cursorOf, parseCursor, type Cursor, type EventLog, type LoggedEvent } from '../events/index.ts'
import type { ReplayFilter } from '../events/index.ts'
import { StreamError } from './access.ts'
import { Channel, type Subscription } from './channel.ts'
import { RenderFailure, settle } from './delivery.ts'
import { framesOf } from './frame.ts'
import type { OpenChannels, Routes } from './hub.ts'

/** What a subscription missed, and where. */
export interface Missed<R> {
  readonly family: string
  readonly name: string
  readonly subscription: Subscription<R>
  /** Leaves out of the log what the channel is not made of. */
  readonly filter: ReplayFilter
}

export interface Resumer<R> {
  /**
   * Sends what came after `from`, by the same routes and rules as what comes live, and then makes the subscription live with `join`,
   * which is called without anything coming in between: nothing is missed and nothing comes twice.
   * @param from as the client gives it
   * Fails when what was missed could not be read or rendered; what has been sent by then is the beginning of it.
   * @returns false when the log does not reach back to there, or the text is none of our ids: then the client must load anew
   */
  resume(missed: Missed<R>, from: string, join: () => void): Promise<boolean>
}

/** So many replay at once: after an outage everybody comes back in the same second, and reads the same log. */
const REPLAYS = 8
/** Events that are rendered at once. */
const WIDTH = 16

/** Lets at most `most` pieces of work run at once; the others wait for their turn. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function take<T>(work: () => Promise<T>): Promise<T> {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

export function createResumer<R>(
  events: Pick<EventLog, 'position' | 'replay'>,
  routes: Routes<R>['routes'],
  onError: (error: unknown) => void,
): Resumer<R> {
  const turn = createTurns(REPLAYS)

  async function send(
    page: readonly LoggedEvent[],
    channels: OpenChannels<R>,
    subscription: Subscription<R>,
  ): Promise<void> {
    for (let at = 0; at < page.length; at += WIDTH) {
      const made = page.slice(at, at + WIDTH).flatMap(event => {
        const deliveries = routes[event.kind]?.(event, channels, false) ?? []
        return deliveries.length === 0 ? [] : [Promise.resolve(settle(cursorOf(event), deliveries, onError))]
      })
      for (const { id, deliveries } of await Promise.all(made)) {
        for (const { channel, frame } of deliveries) {
          if (frame instanceof RenderFailure) throw frame.cause
          // The end of a channel is met when its reader is admitted; the past one does not count.
          if (frame instanceof StreamError || subscription.ended) continue
          for (const one of framesOf(frame)) channel.deliver(one, id, onError)
        }
      }
    }
  }

  async function catchUp(missed: Missed<R>, from: Cursor, join: () => void): Promise<boolean> {
    const { family, name, subscription, filter } = missed
    const { subscriber } = subscription
    const channel = new Channel<R>(family, name)
    channel.add(subscription)
    const channels: OpenChannels<R> = {
      get: (wantedFamily, wantedName) => (wantedFamily === family && wantedName === name ? channel : undefined),
      all: wanted => (wanted === family ? [channel] : []),
      has: wanted => wanted === family,
    }
    for (let position = from; ;) {
      const last = events.position()
      const pages = await events.replay(position, filter)
      if (!pages) return false
      for await (const page of pages) {
        await send(page, channels, subscription)
        const sent = page.at(-1)
        if (sent) position = cursorOf(sent)
        await subscriber.drained()
        if (subscriber.closed || subscription.ended) return true
      }
      if (compareCursors(position, last) < 0) position = last
      // Nothing is awaited between this look and `join`. Frames that were under way are told by `after`.
      if (events.position() !== last) continue
      subscription.after = position
      join()
      return true
    }
  }

  return {
    async resume(missed, from, join) {
      const cursor = parseCursor(from)
      return cursor === undefined ? false : turn(() => catchUp(missed, cursor, join))
    },
  }
}
