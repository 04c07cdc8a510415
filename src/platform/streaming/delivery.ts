import type { Cursor } from '../events/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { StreamError } from './access.ts'
import type { Channel } from './channel.ts'
import type { Rendered } from './frame.ts'

/** In place of a frame that many channels were to share: it is not the same for all of them after all. */
export class PerChannel<R> {
  readonly make: (channel: Channel<R>) => Promise<Rendered<R>>

  constructor(make: (channel: Channel<R>) => Promise<Rendered<R>>) {
    this.make = make
  }
}

/**
 * A frame on its way to a channel (undefined: when it was to be rendered there was nothing to show any more), or the end of
 * the channel, with what its readers are told.
 */
export interface Delivery<R> {
  readonly channel: Channel<R>
  readonly frame: Rendered<R> | StreamError | Rendering<R>
}

/** Channels that are given the same one share the frame. */
type Rendering<R> = Promise<Rendered<R> | PerChannel<R>>

/** In place of a frame that could not be made: who reads the channel must not hear what comes after it. */
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

/** Whether the database is away, as while its server restarts. Any other error would come again. */
const isPassing = (error: unknown): boolean => error instanceof ApiError && error.failure === 'unavailable'

/**
 * Waits for the frames that are still being rendered; for one that several channels share once. One that fails is lost by itself, because
 * it would fail again; but what only an absent database kept from being rendered interrupts the channel.
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
  const waited = [...rendering].map(async frame => [frame, await whenMade(frame, onError)] as const)
  const made = new Map(await Promise.all(waited))
  const individual: Promise<void>[] = []
  const all = deliveries.map(({ channel, frame: given }) => {
    const frame = given instanceof Promise ? made.get(given) : given
    if (!(frame instanceof PerChannel)) return { channel, frame }
    const delivery: { channel: Channel<R>; frame: Rendered<R> | RenderFailure } = { channel, frame: undefined }
    individual.push(whenMade(frame.make(channel), onError).then(one => void (delivery.frame = one)))
    return delivery
  })
  if (individual.length > 0) await Promise.all(individual)
  return { id, deliveries: all }
}

/** What becomes of a frame that is being rendered. */
async function whenMade<T>(
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
