import type { Cursor } from '../events/index.ts'
import { Failure } from '../failure.ts'
import type { Refusal } from './access.ts'
import type { Channel } from './channel.ts'
import type { Rendered } from './frame.ts'

/**
 * A frame on its way to a channel (undefined: when it was to be rendered there was nothing to show any more), or the end of
 * the channel, with what its readers are told.
 */
export interface Delivery<R> {
  readonly channel: Channel<R>
  readonly frame: Rendered<R> | Refusal | Promise<Rendered<R>>
}

/** In place of a frame that could not be made: who reads the channel must not hear what comes after it. */
export class Interruption {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** The frames of one event, ready to be sent. */
export interface Made<R> {
  readonly id: Cursor
  readonly deliveries: readonly ReadyDelivery<R>[]
}

interface ReadyDelivery<R> {
  readonly channel: Channel<R>
  readonly frame: Rendered<R> | Refusal | Interruption
}

/** Whether the database is away, as while its server restarts. Any other error would come again. */
const isPassing = (error: unknown): boolean => error instanceof Failure && error.failure === 'unavailable'

/**
 * Waits for the frames that are still being rendered. One that fails is lost by itself, because it would fail again; but what only an
 * absent database kept from being rendered interrupts the channel.
 */
export function settle<R>(
  id: Cursor,
  deliveries: readonly Delivery<R>[],
  lost: (error: unknown) => void,
): Made<R> | Promise<Made<R>> {
  if (!deliveries.some(({ frame }) => frame instanceof Promise)) return { id, deliveries: deliveries.flatMap(ready) }
  return Promise.all(deliveries.map(delivery => finish(delivery, lost))).then(made => ({ id, deliveries: made }))
}

const ready = <R>({ channel, frame }: Delivery<R>): ReadyDelivery<R>[] =>
  frame instanceof Promise ? [] : [{ channel, frame }]

async function finish<R>({ channel, frame }: Delivery<R>, lost: (error: unknown) => void): Promise<ReadyDelivery<R>> {
  try {
    return { channel, frame: await frame }
  } catch (error) {
    if (isPassing(error)) return { channel, frame: new Interruption(error) }
    lost(error)
    return { channel, frame: undefined }
  }
}
