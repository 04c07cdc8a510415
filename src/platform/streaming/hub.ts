import { cursorOf, type EventLog, type LoggedEvent } from '../events/index.ts'
import type { Id } from '../../core/id.ts'
import { StreamError } from './access.ts'
import { Channel, EncodedMessages, type Subscription } from './channel.ts'
import { RenderFailure, settle, type Delivery, type Settled } from './delivery.ts'
import { framesOf } from './frame.ts'
import { createOrderedQueue } from './ordered_queue.ts'

/** The channels that somebody reads. */
export interface OpenChannels<R> {
  get(family: string, name: string): Channel<R> | undefined
  /** All of a family: everybody's `user` channel. */
  all(family: string): Iterable<Channel<R>>
  has(family: string): boolean
}

/**
 * Which frames an event becomes, and for which of the open channels. Called for each event of its kind, so it decides by the
 * event's facts and by what is in memory, and begins to render only when there is somebody to render for. `isLive` is false for
 * an event of the past, which somebody who resumes has missed.
 */
export type Route<R> = (event: LoggedEvent, channels: OpenChannels<R>, isLive: boolean) => readonly Delivery<R>[]

/** What the streams of a server are made of; all that the domain says. */
export interface Routes<R> {
  readonly routes: Readonly<Record<string, Route<R>>>
  /** Brings what is known of readers up to date before the frames of this and of later events are decided on. */
  readonly refreshes: Readonly<Record<string, (event: LoggedEvent) => Refresh | undefined>>
}

/** What is known of these accounts is being brought up to date. Where that fails their connections end. */
export interface Refresh {
  readonly accounts: readonly Id[]
  readonly done: Promise<void>
}

/** The open channels of a server process, and the one pass that each event of the log makes through them. */
export interface Hub<R> {
  /** Adds a reader to a channel, which is made for the first one. */
  join(family: string, name: string, subscription: Subscription<R>): void
  /** Takes it away again; with the last reader goes the channel. */
  leave(family: string, name: string, subscription: Subscription<R>): void
  readonly routes: Routes<R>['routes']
  /** Gives up on rendering that takes longer, so that the rest can go on. */
  giveUp(afterMs: number): void
  /** Channels, readers, and events whose frames are still being made. */
  statistics(): { channels: number; subscriptions: number; waiting: number }
  close(): void
}

/** How many events may be rendered at once, so that a burst leaves database connections to requests. */
const WIDTH = 8

/** What becomes of one event: its frames, and the accounts whose connections end because nobody knows what they may see. */
interface Outcome<R> extends Settled<R> {
  readonly interrupted: readonly Id[]
  readonly writtenAt: number | undefined
}

const NOBODY: readonly Id[] = []

/** What the hub has others do. */
export interface HubReports {
  /** Ends all connections of an account, so that its clients come back. */
  interrupt(account: Id): void
  /** Hears why connections are interrupted. */
  interrupted(error: unknown): void
  /** Hears of what could not be rendered or sent; the streams go on. */
  onError(error: unknown): void
  /** Messages of an event have been given to readers. @param writtenAt when the event was, by `performance.now()` */
  sent(writtenAt: number): void
}

/** Frames leave in the order of the log, across all channels. */
export function createHub<R>(
  events: Pick<EventLog, 'log$' | 'writtenAt'>,
  { routes, refreshes }: Routes<R>,
  { interrupt, interrupted: tellInterrupted, onError, sent }: HubReports,
): Hub<R> {
  const families = new Map<string, Map<string, Channel<R>>>()
  let subscriptions = 0

  const channels: OpenChannels<R> = {
    get: (family, name) => families.get(family)?.get(name),
    all: family => families.get(family)?.values() ?? [],
    has: family => families.has(family),
  }

  /** Before anything of the event is sent, the connections end that will miss something of it: they resume before it, not after. */
  function deliver(outcome: Outcome<R> | undefined): void {
    if (!outcome) return
    const { id, deliveries, interrupted, writtenAt } = outcome
    let messages = 0
    const worded = deliveries.length > 1 ? new EncodedMessages() : undefined
    for (const account of interrupted) interrupt(account)
    for (const { channel, frame } of deliveries) {
      if (!(frame instanceof RenderFailure)) continue
      tellInterrupted(frame.cause)
      channel.interrupt()
    }
    for (const { channel, frame } of deliveries) {
      if (frame instanceof StreamError) channel.dismiss(frame)
      else if (!(frame instanceof RenderFailure)) {
        for (const one of framesOf(frame)) messages += channel.deliver(one, id, onError, worded)
      }
    }
    if (messages > 0 && writtenAt !== undefined) sent(writtenAt)
  }

  const sequence = createOrderedQueue<Outcome<R> | undefined>(WIDTH, deliver, tellInterrupted)

  /** Which of the accounts are not known of after all. */
  const failedOf = ({ accounts, done }: Refresh): Promise<readonly Id[]> =>
    done.then(
      () => NOBODY,
      (error: unknown) => {
        tellInterrupted(error)
        return accounts
      },
    )

  function take(event: LoggedEvent): void {
    const id = cursorOf(event)
    const writtenAt = events.writtenAt()
    let deliveries: readonly Delivery<R>[] = []
    let refresh: Refresh | undefined
    sequence.push(
      () => {
        refresh = refreshes[event.kind]?.(event)
        deliveries = routes[event.kind]?.(event, channels, true) ?? []
        if (!refresh && deliveries.length === 0) return undefined
        const made = settle(id, deliveries, onError)
        if (!refresh && !(made instanceof Promise)) return { ...made, interrupted: NOBODY, writtenAt }
        return Promise.all([made, refresh ? failedOf(refresh) : NOBODY]).then(([settled, interrupted]) => ({
          ...settled,
          interrupted,
          writtenAt,
        }))
      },
      () => ({
        id,
        deliveries: deliveries.map(({ channel }) => ({ channel, frame: new RenderFailure('given up') })),
        interrupted: refresh?.accounts ?? NOBODY,
        writtenAt,
      }),
    )
  }

  const subscription = events.log$.subscribe(event => {
    if (subscriptions > 0 && (event.kind in routes || event.kind in refreshes)) take(event)
  })

  return {
    routes,
    join(family, name, joining) {
      const named = families.get(family) ?? new Map<string, Channel<R>>()
      const channel = named.get(name) ?? new Channel<R>(family, name)
      channel.add(joining)
      named.set(name, channel)
      families.set(family, named)
      subscriptions += 1
    },
    leave(family, name, leaving) {
      const named = families.get(family)
      const channel = named?.get(name)
      if (!named || !channel) return
      subscriptions -= channel.size
      channel.remove(leaving)
      subscriptions += channel.size
      if (channel.size > 0) return
      named.delete(name)
      if (named.size === 0) families.delete(family)
    },
    giveUp: sequence.giveUp,
    statistics() {
      let open = 0
      for (const named of families.values()) open += named.size
      return { channels: open, subscriptions, waiting: sequence.length }
    },
    close: () => subscription.unsubscribe(),
  }
}
