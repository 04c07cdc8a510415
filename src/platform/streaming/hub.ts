import { cursorOf, type EventKind, type EventLog, type EventOf, type LoggedEvent } from '../events/index.ts'
import type { Id } from '../../core/id.ts'
import { StreamError } from './access.ts'
import { EncodedMessages, type Subscription } from './channel.ts'
import { prepare, RenderFailure, settle, type Delivery, type Settled } from './delivery.ts'
import { framesOf } from './frame.ts'
import { ChannelIndex, type OpenChannels } from './open_channels.ts'
import { createOrderedQueue } from './ordered_queue.ts'

/**
 * The frames of an event, and their channels. Called for each event of its kind, so it decides from
 * the event's facts and from memory, and starts rendering only for channels that have readers.
 * `isLive` is false when a past event is replayed for a client that resumes.
 */
export type Route<R, K extends EventKind = EventKind> = (
  event: EventOf<K>,
  channels: OpenChannels<R>,
  isLive: boolean,
) => readonly Delivery<R>[]

/** The domain's part of streaming. */
export interface Routes<R> {
  readonly routes: { readonly [K in EventKind]?: Route<R, K> }
  /**
   * Refreshes the readers whom an event concerns, before the frames of this and of later events are
   * decided.
   */
  readonly refreshes: { readonly [K in EventKind]?: (event: EventOf<K>) => Refresh | undefined }
}

/** The deliveries of an event, by the route of its kind. */
export const deliveriesOf = <R, K extends EventKind>(
  routes: Routes<R>['routes'],
  kind: K,
  event: EventOf<K>,
  channels: OpenChannels<R>,
  isLive: boolean,
): readonly Delivery<R>[] => routes[kind]?.(event, channels, isLive) ?? []

/**
 * A refresh of readers in progress. When it fails, the connections of these accounts are closed.
 */
export interface Refresh {
  readonly accounts: readonly Id[]
  readonly done: Promise<void>
}

/** The open channels of a server process. Each event of the log passes through them once. */
export interface Hub<R> {
  /** Adds a reader to a channel, which is created for the first reader. */
  join(family: string, name: string, subscription: Subscription<R>): void
  /** Removes a reader, and the channel with the last one. */
  leave(family: string, name: string, subscription: Subscription<R>): void
  readonly routes: Routes<R>['routes']
  /** Fails rendering that takes longer, so that later events can be sent. */
  giveUp(afterMs: number): void
  /** The numbers of channels, of readers, and of events that are still being rendered. */
  statistics(): { channels: number; subscriptions: number; waiting: number }
  close(): void
}

/**
 * The number of events that are rendered at once; limited so that a burst leaves database
 * connections to requests.
 */
const WIDTH = 8

/**
 * The result of one event: its frames, and the accounts whose connections must be closed because
 * the refresh of their readers failed.
 */
interface Outcome<R> extends Settled<R> {
  readonly interrupted: readonly Id[]
  readonly writtenAt: number | undefined
}

const NOBODY: readonly Id[] = []

/** Callbacks of the hub. */
export interface HubReports {
  /** Closes all connections of an account, so that its clients resume. */
  disconnectToResume(account: Id): void
  /** Called with the reason why connections are closed. */
  onInterrupted(error: unknown): void
  /** Called for a frame that could not be rendered or sent; the streams continue. */
  onError(error: unknown): void
  /**
   * Called when messages of an event have been handed to readers.
   * @param writtenAt when the event was written, by `performance.now()`
   */
  onSent(writtenAt: number): void
}

/**
 * Returns the delivery of one event's outcome, which takes time when the ends of its frames have to
 * be prepared. These follow from the readers' state after all earlier events.
 */
function createDelivery<R>({ disconnectToResume, onInterrupted, onError, onSent }: HubReports) {
  /**
   * Connections that will miss a part of the event are closed before any of it is sent, so that
   * they resume before it and not after it.
   */
  function send(outcome: Outcome<R>): void {
    const { id, deliveries, interrupted, writtenAt } = outcome
    let messages = 0
    const encoded = deliveries.length > 1 ? new EncodedMessages() : undefined
    for (const account of interrupted) disconnectToResume(account)
    for (const { channel, frame } of deliveries) {
      if (!(frame instanceof RenderFailure)) continue
      onInterrupted(frame.cause)
      channel.disconnectToResume()
    }
    for (const { channel, frame } of deliveries) {
      if (frame === undefined || frame instanceof RenderFailure) continue
      if (frame instanceof StreamError) channel.endWithError(frame)
      else if ('event' in frame) messages += channel.deliver(frame, id, onError, encoded)
      else for (const one of framesOf(frame)) messages += channel.deliver(one, id, onError, encoded)
    }
    if (messages > 0 && writtenAt !== undefined) onSent(writtenAt)
  }

  return (outcome: Outcome<R> | undefined): Promise<void> | undefined => {
    const preparing = outcome && prepare(outcome.deliveries)
    if (preparing) return preparing.then(() => send(outcome))
    if (outcome) send(outcome)
    return undefined
  }
}

/** Sends frames in the order of the log, across all channels. */
export function createHub<R>(
  events: Pick<EventLog, 'log$' | 'writtenAt'>,
  { routes, refreshes }: Routes<R>,
  reports: HubReports,
): Hub<R> {
  const { onInterrupted, onError } = reports
  const channels = new ChannelIndex<R>()
  const queue = createOrderedQueue(WIDTH, createDelivery<R>(reports), onInterrupted)

  /** The accounts whose refresh failed. */
  const failedOf = ({ accounts, done }: Refresh): Promise<readonly Id[]> =>
    done.then(
      () => NOBODY,
      (error: unknown) => {
        onInterrupted(error)
        return accounts
      },
    )

  const refreshFor = <K extends EventKind>(kind: K, event: EventOf<K>): Refresh | undefined => refreshes[kind]?.(event)

  function take(event: LoggedEvent): void {
    const id = cursorOf(event)
    const writtenAt = events.writtenAt()
    let deliveries: readonly Delivery<R>[] = []
    let refresh: Refresh | undefined
    queue.push(
      () => {
        refresh = refreshFor(event.kind, event)
        deliveries = deliveriesOf(routes, event.kind, event, channels, true)
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
    // A reader who is to be refreshed may still be resuming, without a subscription.
    if (event.kind in refreshes || (channels.subscriptions > 0 && event.kind in routes)) take(event)
  })

  return {
    routes,
    join: (family, name, joining) => channels.join(family, name, joining),
    leave: (family, name, leaving) => channels.leave(family, name, leaving),
    giveUp: afterMs => queue.giveUp(afterMs),
    statistics: () => ({ channels: channels.size, subscriptions: channels.subscriptions, waiting: queue.length }),
    close: () => subscription.unsubscribe(),
  }
}
