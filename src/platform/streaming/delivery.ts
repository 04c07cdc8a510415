import type { Cursor } from '../events/index.ts'
import { ApiError } from '../../core/errors.ts'
import { StreamError } from './access.ts'
import type { Channel } from './channel.ts'
import { framesOf, type Rendered } from './frame.ts'

/** Replaces a shared frame whose content turned out to differ between channels. */
export class PerChannel<R> {
  readonly make: (channel: Channel<R>) => Promise<Rendered<R>>

  constructor(make: (channel: Channel<R>) => Promise<Rendered<R>>) {
    this.make = make
  }
}

/**
 * A frame for a channel, or the error that ends the channel's subscriptions. The frame is undefined
 * when its content was deleted before it could be rendered.
 */
export interface Delivery<R> {
  readonly channel: Channel<R>
  readonly frame: Rendered<R> | StreamError | Rendering<R>
}

/** Channels that are given the same promise share the frame. */
type Rendering<R> = Promise<Rendered<R> | PerChannel<R>>

/**
 * Replaces a frame that could not be rendered: its readers must not receive any later event before
 * they resume.
 */
export class RenderFailure {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** The frames of one event, ready to be sent. */
export interface Settled<R> {
  readonly id: Cursor
  readonly deliveries: readonly ReadyDelivery<R>[]
}

interface ReadyDelivery<R> {
  readonly channel: Channel<R>
  readonly frame: Rendered<R> | StreamError | RenderFailure
}

/**
 * Prepares the frames for the readers of their channels, also for those who subscribe meanwhile;
 * undefined when nothing has to be prepared.
 */
export function prepare<R>(deliveries: readonly ReadyDelivery<R>[]): Promise<void> | undefined {
  const preparing: Promise<void>[] = []
  for (const { channel, frame } of deliveries) {
    if (frame === undefined || frame instanceof StreamError || frame instanceof RenderFailure) continue
    // Nearly always the same single frame for all channels, which has nothing to prepare.
    if ('event' in frame && !frame.prepare) continue
    for (const one of framesOf(frame)) {
      const pending = one.prepare?.(channel.readers())
      if (pending) preparing.push(pending)
    }
  }
  return preparing.length === 0 ? undefined : Promise.all(preparing).then(() => prepare(deliveries))
}

/** Whether the database is unavailable, as during a restart. Any other error would occur again. */
const isPassing = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable'

/**
 * Waits for the frames that are being rendered; a frame that several channels share is awaited
 * once. A frame that fails is logged and dropped, because it would fail again, but one that failed
 * because the database was unavailable interrupts its channel.
 */
export function settle<R>(
  id: Cursor,
  deliveries: readonly Delivery<R>[],
  onError: (error: unknown) => void,
): Settled<R> | Promise<Settled<R>> {
  const rendering = new Set<Rendering<R>>()
  for (const { frame } of deliveries) if (frame instanceof Promise) rendering.add(frame)
  return rendering.size === 0
    ? { id, deliveries: deliveries.filter(isReady) }
    : finish(id, deliveries, rendering, onError)
}

const isReady = <R>(delivery: Delivery<R>): delivery is Delivery<R> & ReadyDelivery<R> =>
  !(delivery.frame instanceof Promise)

async function finish<R>(
  id: Cursor,
  deliveries: readonly Delivery<R>[],
  rendering: ReadonlySet<Rendering<R>>,
  onError: (error: unknown) => void,
): Promise<Settled<R>> {
  const outcomes = [...rendering].map(async frame => [frame, await outcomeOf(frame, onError)] as const)
  const frames = new Map(await Promise.all(outcomes))
  const perChannel: Promise<void>[] = []
  const all = deliveries.map(({ channel, frame: given }) => {
    const frame = given instanceof Promise ? frames.get(given) : given
    if (!(frame instanceof PerChannel)) return { channel, frame }
    const delivery: { channel: Channel<R>; frame: Rendered<R> | RenderFailure } = { channel, frame: undefined }
    perChannel.push(outcomeOf(frame.make(channel), onError).then(one => void (delivery.frame = one)))
    return delivery
  })
  if (perChannel.length > 0) await Promise.all(perChannel)
  return { id, deliveries: all }
}

/** The rendered frame; a failure that interrupts; or undefined after a permanent error. */
async function outcomeOf<T>(
  frame: Promise<T>,
  onError: (error: unknown) => void,
): Promise<T | RenderFailure | undefined> {
  try {
    return await frame
  } catch (error) {
    if (isPassing(error)) return new RenderFailure(error)
    onError(error)
    return undefined
  }
}
