import { openUpgradeWorkaround } from '../http/upgrade_workaround.ts'
import type { HttpOptions } from '../http/server.ts'
import type { Services } from '../services.ts'
import { createConnectionLimits } from './bounds.ts'
import { createConnections } from './connections.ts'
import { createProtocol } from './websocket_protocol.ts'
import { createHub } from './hub.ts'
import { createLag } from './lag.ts'
import { createWriteQueue } from './write_queue.ts'
import { createResumer } from './resume.ts'
import { mountSockets, type SocketConnection } from './socket.ts'
import { createEventStreams, type EventConnection, type EventStreams } from './sse.ts'
import { createSubscriptions, type Definition } from './subscriptions.ts'
import { TimingWheel } from './timing_wheel.ts'

/**
 * From the event log to clients: `hub.ts` takes each event once, asks the domain's routes which
 * channels it concerns, and sends the frames in the order of the log; `channel.ts` encodes a frame
 * once for all readers of the same content; `socket.ts` and `sse.ts` are the transports;
 * `resume.ts` replays missed events to clients that reconnect. A `Definition` declares the streams
 * and decides who receives which frames.
 */

export { StreamError, type Caller } from './access.ts'
export type { Channel } from './channel.ts'
export type { Frame, Rendered } from './frame.ts'
export { PerChannel, type Delivery } from './delivery.ts'
export type { Refresh, Route, Routes } from './hub.ts'
export type { OpenChannels } from './open_channels.ts'
export type { Definition, Parameter, ChannelKey, StreamType } from './subscriptions.ts'

/** The streams of a server process. */
export interface Streaming extends EventStreams {
  /** Adds the WebSocket routes to the server. */
  readonly extend: HttpOptions['extend']
  statistics(): { connections: number; channels: number; subscriptions: number; waiting: number }
  /** Ends all connections, a few at a time (sockets with code 1012), and later ones at once. */
  retire(): Promise<void>
  /** Ends all connections (sockets with code 1001) and refuses new ones. */
  close(): void
}

const TICK_MS = 1000
/** The intervals of pings and thumps, in ticks. */
const PING_TICKS = 30
const THUMP_TICKS = 15
/**
 * Several times the database layer's wait for an unavailable database, so that only hanging work is
 * given up.
 */
const GIVE_UP_MS = 30_000

export function openStreaming<R>(services: Services, definition: Definition<R>): Streaming {
  const { config, events, metrics, tokens, logger } = services
  const onError = (error: unknown): void => {
    metrics.errors.inc({ part: 'streaming' })
    logger.warn({ err: error }, 'a stream message could not be rendered or sent')
  }
  const onFailure = (error: unknown): void => {
    metrics.errors.inc({ part: 'streaming_requests' })
    logger.warn({ err: error }, 'a stream subscription request failed')
  }
  const onInterrupted = (error: unknown): void => {
    logger.warn({ err: error }, 'stream connections were closed so that their clients resume')
  }
  let stopping = false
  const lag = createLag(lagMs => metrics.streamLagSeconds.observe(lagMs / 1000))
  const connections = createConnections<R>(events.log$, tokens, metrics, onError)
  // Clients may show what no longer exists; the ids that they resume from are of another log, so
  // they reload.
  events.setBack$.subscribe(() => void connections.restart())
  const hub = createHub(events, definition, {
    disconnectToResume: connections.disconnectToResume,
    onInterrupted,
    onError,
    onSent: lag.record,
  })
  const resumer = createResumer(events, definition.routes, onError)
  const subscriptions = createSubscriptions({ definition, hub, resumer, events, metrics, onInterrupted })
  const pings = new TimingWheel<SocketConnection<R>>(PING_TICKS, connection => connection.ping())
  const thumps = new TimingWheel<EventConnection<R>>(THUMP_TICKS, connection => connection.thump())
  const protocol = createProtocol(definition, subscriptions, onFailure)
  const workaround = openUpgradeWorkaround()
  const isStopping = (): boolean => stopping
  const bounds = { account: config.streamsPerAccount, address: config.streamsPerAddress }
  const limits = createConnectionLimits(config.rateLimits ? bounds : undefined, bound =>
    metrics.streamsRefused.inc({ bound }),
  )
  const shared = {
    services,
    definition,
    subscriptions,
    connections,
    limits,
    writeQueue: createWriteQueue(),
    isStopping,
  }
  const streams = createEventStreams({ ...shared, thumps })

  const timer = setInterval(() => {
    pings.tick()
    thumps.tick()
    hub.giveUp(GIVE_UP_MS)
  }, TICK_MS)
  timer.unref()

  metrics.gauge('millrace_stream_channels', 'Channels with at least one reader', () => hub.statistics().channels)
  metrics.gauge(
    'millrace_stream_events_waiting',
    'Events that wait to be rendered for streams',
    () => hub.statistics().waiting,
  )

  return {
    extend(app, upgraded) {
      const release = (reader: R): void => definition.release(reader)
      mountSockets(app, { ...shared, protocol, pings, workaround, release }, upgraded)
    },
    respond: streams.respond,
    statistics: () => ({ connections: connections.size, ...hub.statistics() }),
    retire: connections.retire,
    close() {
      if (stopping) return
      stopping = true
      clearInterval(timer)
      connections.endAll()
      hub.close()
      workaround.close()
    },
  }
}
