import type { Observable } from 'rxjs'
import { cursorOf, type Cursor, type LoggedEvent } from '../events/index.ts'
import { Refusal } from './access.ts'
import { Channel, type Subscription } from './channel.ts'
import type { Frame } from './frame.ts'
import { createPatience, isPassing } from './patience.ts'
import { createSequence } from './sequence.ts'

/** The channels that somebody reads. */
export interface OpenChannels<R> {
  get(family: string, name: string): Channel<R> | undefined
  /** All of a family: everybody's `user` channel. */
  all(family: string): Iterable<Channel<R>>
  has(family: string): boolean
}

/**
 * A frame on its way to a channel (undefined: when it was to be rendered there was nothing to show any more), or the end of
 * the channel, with what its readers are told.
 */
export interface Delivery<R> {
  readonly channel: Channel<R>
  readonly frame: Frame<R> | Refusal | Promise<Rendered<R>>
}

/** Several frames when one event makes several things known, such as all that a block takes out of a feed. */
export type Rendered<R> = Frame<R> | readonly Frame<R>[] | undefined

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
  readonly refreshes: Readonly<Record<string, (event: LoggedEvent) => Promise<void> | undefined>>
}

/** The open channels of a server process, and the one pass that each event of the log makes through them. */
export interface Hub<R> {
  /** Adds a reader to a channel, which is made for the first one. */
  join(family: string, name: string, subscription: Subscription<R>): void
  /** Takes it away again; with the last reader goes the channel. */
  leave(family: string, name: string, subscription: Subscription<R>): void
  readonly routes: Routes<R>['routes']
  /** Gives up on rendering that takes too long, so that the rest can go on. */
  tick(): void
  /** Channels, readers, and events whose frames are still being made. */
  statistics(): { channels: number; subscriptions: number; waiting: number }
  close(): void
}

/** How many events may be rendered at once, so that a burst leaves database connections to requests. */
const WIDTH = 8
const GIVE_UP_MS = 15_000

/** The frames of one event, ready to be sent. */
export interface Made<R> {
  readonly id: Cursor
  readonly deliveries: readonly { channel: Channel<R>; frame: Rendered<R> | Refusal }[]
}

/**
 * @param log$ each event once, in order: frames leave in this order, across all channels
 * @param lost hears of what could not be rendered or sent; the streams go on
 */
export function createHub<R>(
  log$: Observable<LoggedEvent>,
  { routes, refreshes }: Routes<R>,
  lost: (error: unknown) => void,
): Hub<R> {
  const families = new Map<string, Map<string, Channel<R>>>()
  let subscriptions = 0

  const channels: OpenChannels<R> = {
    get: (family, name) => families.get(family)?.get(name),
    all: family => families.get(family)?.values() ?? [],
    has: family => families.has(family),
  }

  const sequence = createSequence<Made<R> | undefined>(
    WIDTH,
    made => {
      if (!made) return
      for (const { channel, frame } of made.deliveries) {
        if (frame instanceof Refusal) channel.dismiss(frame)
        else for (const one of framesOf(frame)) channel.deliver(one, made.id, lost)
      }
    },
    lost,
  )

  async function refresh(event: LoggedEvent, first: Promise<void>): Promise<void> {
    const patience = createPatience()
    for (let refreshed: Promise<void> | undefined = first; ; refreshed = refreshes[event.kind]?.(event)) {
      try {
        return await refreshed
      } catch (error) {
        if (!isPassing(error) || !(await patience())) throw error
      }
    }
  }

  function make(event: LoggedEvent): Made<R> | undefined | Promise<Made<R> | undefined> {
    const route = (): readonly Delivery<R>[] => routes[event.kind]?.(event, channels, true) ?? []
    const refreshed = refreshes[event.kind]?.(event)
    const deliveries = route()
    if (!refreshed) return deliveries.length === 0 ? undefined : settle(cursorOf(event), deliveries, route, lost)
    // Their failures are heard only after the refresh.
    keepQuiet(deliveries)
    return refresh(event, refreshed).then(() => settle(cursorOf(event), deliveries, route, lost))
  }

  const subscription = log$.subscribe(event => {
    if (subscriptions === 0 || !(event.kind in routes || event.kind in refreshes)) return
    sequence.push(() => make(event))
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
    tick: () => sequence.giveUp(GIVE_UP_MS),
    statistics() {
      let open = 0
      for (const named of families.values()) open += named.size
      return { channels: open, subscriptions, waiting: sequence.length }
    },
    close: () => subscription.unsubscribe(),
  }
}

/** The frames, in their order. */
export const framesOf = <R>(rendered: Rendered<R>): readonly Frame<R>[] =>
  rendered === undefined ? [] : 'event' in rendered ? [rendered] : rendered

/**
 * Waits for the frames that are still being rendered. One that fails is lost by itself; but what only an absent database kept from
 * being rendered is rendered again.
 * @param again the route, once more
 */
export function settle<R>(
  id: Cursor,
  deliveries: readonly Delivery<R>[],
  again: () => readonly Delivery<R>[],
  lost: (error: unknown) => void,
): Made<R> | Promise<Made<R>> {
  const ready: Made<R>['deliveries'][number][] = []
  const rendering: Delivery<R>[] = []
  for (const delivery of deliveries) {
    const { channel, frame } = delivery
    if (frame instanceof Promise) rendering.push(delivery)
    else ready.push({ channel, frame })
  }
  if (rendering.length === 0) return { id, deliveries: ready }
  return render(rendering, again, lost).then(made => ({ id, deliveries: [...ready, ...made] }))
}

/** So that a failure which is not listened to yet, or never, does not end the process. */
function keepQuiet<R>(deliveries: readonly Delivery<R>[]): void {
  for (const { frame } of deliveries) if (frame instanceof Promise) frame.catch(() => undefined)
}

async function render<R>(
  deliveries: readonly Delivery<R>[],
  again: () => readonly Delivery<R>[],
  lost: (error: unknown) => void,
): Promise<Made<R>['deliveries'][number][]> {
  const made: Made<R>['deliveries'][number][] = []
  const patience = createPatience()
  for (let left = deliveries; ;) {
    const waiting = new Map<Channel<R>, unknown>()
    const takeOne = async ({ channel, frame }: Delivery<R>): Promise<void> => {
      try {
        made.push({ channel, frame: await frame })
      } catch (error) {
        if (isPassing(error)) waiting.set(channel, error)
        else lost(error)
      }
    }
    await Promise.all(left.map(takeOne))
    if (waiting.size === 0) return made
    if (!(await patience())) {
      for (const error of waiting.values()) lost(error)
      return made
    }
    const anew = again()
    keepQuiet(anew)
    left = anew.filter(({ channel }) => waiting.has(channel))
  }
}
