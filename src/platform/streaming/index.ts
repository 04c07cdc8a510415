import { openUpgradeWorkaround } from '../http/upgrade_workaround.ts'
import type { HttpOptions } from '../http/server.ts'
import type { Services } from '../services.ts'
import { createSeats } from './bounds.ts'
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

/*
 * From the event log to clients: `hub.ts` takes each event once, asks the domain's routes which channels it concerns, and sends the
 * frames in the order of the log; `channel.ts` words a frame once for all who read the same; `socket.ts` and `sse.ts` are the transports;
 * `resume.ts` replays to those who come back. What streams there are and who gets what is told by a `Definition`.
 */

export { StreamError, type Caller } from './access.ts'
export type { Channel } from './channel.ts'
export type { Frame, Rendered } from './frame.ts'
export { PerChannel, type Delivery } from './delivery.ts'
export type { OpenChannels, Refresh, Route } from './hub.ts'
export type { Definition, Parameter, Place, StreamType } from './subscriptions.ts'

/** The streams of a server process. */
export interface Streaming extends EventStreams {
  /** Adds what is no plain request to the server's routes. */
  readonly extend: HttpOptions['extend']
  statistics(): { connections: number; channels: number; subscriptions: number; waiting: number }
  /** Ends all connections: sockets with 1001. New ones are refused. */
  close(): void
}

const TICK_MS = 1000
/** Ticks from ping to ping, and from thump to thump (api/streaming.md, section 1). */
const PING_TICKS = 30
const THUMP_TICKS = 15
/** Several times what the database layer waits for a database that is away: so long takes only what hangs. */
const GIVE_UP_MS = 30_000

export function openStreaming<R>(services: Services, definition: Definition<R>): Streaming {
  const { config, events, metrics, tokens, logger } = services
  const onError = (error: unknown): void => {
    metrics.errors.inc({ part: 'streaming' })
    logger.warn({ err: error }, 'a message of a stream was lost')
  }
  const failed = (error: unknown): void => {
    metrics.errors.inc({ part: 'streaming_requests' })
    logger.warn({ err: error }, 'what a client asked for on its stream failed')
  }
  const interrupted = (error: unknown): void => {
    logger.warn({ err: error }, 'streams are interrupted, their clients are to resume')
  }
  let stopping = false
  const lag = createLag(lagMs => metrics.streamLagSeconds.observe(lagMs / 1000))
  const connections = createConnections<R>(events.log$, tokens, metrics, onError)
  const hub = createHub(events, definition, {
    interrupt: connections.interrupt,
    interrupted,
    onError,
    sent: lag.note,
  })
  const resumer = createResumer(events, definition.routes, onError)
  const subscriptions = createSubscriptions({ definition, hub, resumer, events, metrics, interrupted })
  const pings = new TimingWheel<SocketConnection<R>>(PING_TICKS, connection => connection.ping())
  const thumps = new TimingWheel<EventConnection<R>>(THUMP_TICKS, connection => connection.thump())
  const conversation = createProtocol(definition, subscriptions, failed)
  const cork = openUpgradeWorkaround()
  const isStopping = (): boolean => stopping
  const bounds = { account: config.streamsPerAccount, address: config.streamsPerAddress }
  const seats = createSeats(config.rateLimits ? bounds : undefined, bound => metrics.streamsRefused.inc({ bound }))
  const shared = { services, definition, subscriptions, connections, seats, outbox: createWriteQueue(), isStopping }
  const streams = createEventStreams({ ...shared, thumps })

  // One timer for all connections.
  const timer = setInterval(() => {
    pings.tick()
    thumps.tick()
    hub.giveUp(GIVE_UP_MS)
  }, TICK_MS)
  timer.unref()

  metrics.gauge('millrace_stream_channels', 'Channels that somebody reads', () => hub.statistics().channels)
  metrics.gauge('millrace_stream_events_waiting', 'Events on their way to streams', () => hub.statistics().waiting)

  return {
    extend(app) {
      mountSockets(app, { ...shared, conversation, pings, cork, release: reader => definition.release(reader) })
    },
    answer: streams.answer,
    statistics: () => ({ connections: connections.size, ...hub.statistics() }),
    close() {
      if (stopping) return
      stopping = true
      clearInterval(timer)
      connections.endAll()
      hub.close()
      cork.close()
    },
  }
}
