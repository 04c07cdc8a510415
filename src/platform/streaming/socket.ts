import type { HttpRequest, HttpResponse, TemplatedApp, WebSocket } from 'uWebSockets.js'
import { parseNetworks } from '../../core/networks.ts'
import { JSON_TYPE } from '../http/response.ts'
import { clientAddress, forwardedForOf } from '../http/client_address.ts'
import type { UpgradeWorkaround } from '../http/upgrade_workaround.ts'
import { requestIds } from '../http/request_id.ts'
import { redact } from '../../core/logger.ts'
import type { Services } from '../services.ts'
import { identify, presentedSecret, StreamError, type Caller } from './access.ts'
import type { Subscription } from './channel.ts'
import type { Seats } from './bounds.ts'
import type { Connections } from './connections.ts'
import type { Admitted, Protocol, Peer } from './websocket_protocol.ts'
import { parseMessage, queryParameter } from './message.ts'
import type { WriteQueue } from './write_queue.ts'
import type { Entry, Parameter, Subscriptions } from './subscriptions.ts'
import type { TimingWheel } from './timing_wheel.ts'

/** What may wait for a slow reader. Beyond it the reader is cut off; it resumes by id. */
const MAX_BACKLOG_BYTES = 256 * 1024
const MAX_MESSAGE_BYTES = 16 * 1024
/** For a peer that lets a closed connection hang. Dead ones are found by pings long before. */
const IDLE_SECONDS = 120

/** "Service restart" (RFC 6455 registry): clients come back after it, which they need not after 1000. */
const COME_BACK = 1012

const NO_BINARY = 'The mastodon streaming server does not support binary messages'

/** What sockets are built from. */
export interface SocketParts<R> {
  readonly services: Services
  readonly conversation: Protocol<R>
  readonly subscriptions: Subscriptions<R>
  readonly connections: Connections<R>
  readonly seats: Seats
  readonly pings: TimingWheel<SocketConnection<R>>
  readonly cork: UpgradeWorkaround
  readonly outbox: WriteQueue
  readonly release: (reader: R) => void
  readonly isStopping: () => boolean
}

interface SocketData<R> {
  readonly connection: SocketConnection<R>
}

/** An open WebSocket. Kept small: an idle one is this, its subscriptions, and what the native side keeps. */
export class SocketConnection<R> implements Peer<R> {
  caller: Caller
  /** Of the client, by which its connections are counted. */
  readonly address: string
  readonly withIds: boolean
  readonly entries: Entry<R>[] = []
  closed = false
  pending = 0
  taking: Promise<void> | undefined
  /** Whether the last ping was answered. */
  answered = true
  #socket: WebSocket<SocketData<R>> | undefined
  #waiting: (string | Buffer)[] | undefined
  #drained: (() => void)[] | undefined
  readonly #parts: SocketParts<R>

  constructor(
    parts: SocketParts<R>,
    { caller, address, withIds }: { caller: Caller; address: string; withIds: boolean },
  ) {
    this.#parts = parts
    this.caller = caller
    this.address = address
    this.withIds = withIds
  }

  attach(socket: WebSocket<SocketData<R>>): void {
    this.#socket = socket
  }

  send(message: string | Buffer): void {
    if (this.closed || !this.#socket) return
    if (this.#waiting) {
      this.#waiting.push(message)
      return
    }
    this.#waiting = [message]
    this.#parts.outbox.add(this)
  }

  flush(): void {
    const messages = this.#waiting
    this.#waiting = undefined
    const socket = this.#socket
    if (this.closed || !socket || !messages) return
    // One alone is corked by the native side itself.
    if (messages.length === 1) this.#write(socket, messages)
    else socket.cork(() => this.#write(socket, messages))
  }

  #write(socket: WebSocket<SocketData<R>>, messages: readonly (string | Buffer)[]): void {
    const { connections } = this.#parts
    for (const message of messages) {
      // 1: sent; 0: waits for the reader; 2: dropped, because too much waits. A socket that is closed by it must not be touched.
      if (this.closed) return
      if (socket.send(message) !== 2) continue
      connections.tooSlow('websocket')
      if (!this.closed) socket.close()
      return
    }
    connections.sent('websocket', messages.length)
  }

  tell(error: string, status?: number): void {
    this.send(JSON.stringify(status === undefined ? { error } : { error, status }))
  }

  drained(): Promise<void> | undefined {
    this.flush()
    if (this.closed || !this.#socket || this.#socket.getBufferedAmount() === 0) return undefined
    return new Promise(resolve => (this.#drained ??= []).push(resolve))
  }

  /** The native side has written what waited, or the connection is closed. */
  wake(): void {
    if (!this.#drained || (!this.closed && (this.#socket?.getBufferedAmount() ?? 0) > 0)) return
    const waiting = this.#drained
    this.#drained = undefined
    for (const resolve of waiting) resolve()
  }

  dismiss(subscription: Subscription<unknown>, refusal: StreamError): void {
    const entry = this.entries.find(found => found.subscription === subscription)
    if (entry) this.#parts.subscriptions.end(this, entry)
    this.tell(refusal.message, refusal.status)
  }

  end(code: number): void {
    this.flush()
    if (!this.closed) this.#socket?.end(code)
  }

  interrupt(): void {
    if (this.closed) return
    this.#parts.connections.interrupted('websocket')
    this.end(COME_BACK)
  }

  /** Cuts off a peer that did not answer the last ping. */
  ping(): void {
    if (this.closed || !this.#socket) return
    if (!this.answered) {
      this.#socket.close()
      return
    }
    this.answered = false
    this.#socket.ping()
  }
}

/** Adds `GET /api/v1/streaming` with `Upgrade: websocket` (api/streaming.md). */
export function mountSockets<R>(app: TemplatedApp, parts: SocketParts<R>): void {
  const { conversation, subscriptions, connections, seats, pings } = parts
  const accept = createHandshake(parts)
  for (const path of ['/api/v1/streaming', '/api/v1/streaming/']) {
    app.ws<SocketData<R>>(path, {
      maxPayloadLength: MAX_MESSAGE_BYTES,
      maxBackpressure: MAX_BACKLOG_BYTES,
      closeOnBackpressureLimit: true,
      idleTimeout: IDLE_SECONDS,
      sendPingsAutomatically: false,
      upgrade(response, request, context) {
        const asked = copyHandshake(request, response)
        const upgrade = (data: SocketData<R>): void =>
          response.upgrade(data, asked.key, asked.protocol, asked.extensions, context)
        void accept(response, asked, upgrade)
      },
      open(socket) {
        const { connection } = socket.getUserData()
        connection.attach(socket)
        connections.add(connection, 'websocket')
        pings.add(connection)
      },
      message(socket, message, isBinary) {
        if (isBinary) {
          socket.end(1003, NO_BINARY)
          return
        }
        const parsed = parseMessage(Buffer.from(message).toString())
        if (parsed) conversation.receive(socket.getUserData().connection, parsed)
      },
      pong: socket => {
        socket.getUserData().connection.answered = true
      },
      drain: socket => socket.getUserData().connection.wake(),
      close(socket) {
        const { connection } = socket.getUserData()
        connection.closed = true
        connection.wake()
        pings.remove(connection)
        subscriptions.endAll(connection)
        connections.remove(connection, 'websocket')
        seats.leave(connection.caller.viewer.id, connection.address)
      },
    })
  }
}

/** What is needed of a handshake once uWebSockets.js has taken the request back. */
interface Handshake {
  readonly url: string
  readonly query: string
  readonly key: string
  readonly protocol: string
  readonly extensions: string
  readonly authorization: string
  readonly forwardedFor: string
  readonly remote: string
}

function copyHandshake(request: HttpRequest, response: HttpResponse): Handshake {
  const query = request.getQuery()
  return {
    url: redact(query === '' ? request.getUrl() : `${request.getUrl()}?${query}`),
    query,
    key: request.getHeader('sec-websocket-key'),
    protocol: request.getHeader('sec-websocket-protocol'),
    extensions: request.getHeader('sec-websocket-extensions'),
    authorization: request.getHeader('authorization'),
    forwardedFor: forwardedForOf(request),
    remote: Buffer.from(response.getRemoteAddressAsText()).toString(),
  }
}

const STATUS_LINES: Readonly<Record<number, string>> = {
  401: '401 Unauthorized',
  403: '403 Forbidden',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** Answers handshakes. What is to be subscribed to at once is admitted before, so that a socket that is open is subscribed. */
function createHandshake<R>(parts: SocketParts<R>) {
  const { services, conversation } = parts
  const { config, logger, metrics, tokens, ipBlocks } = services
  const trusted = parseNetworks(config.trustedProxies)
  const nextId = requestIds()

  async function admit(caller: Caller, parameter: Parameter): Promise<Admitted<R> | { failure: unknown } | undefined> {
    const stream = parameter('stream')
    if (stream === undefined || stream === '') return undefined
    try {
      return await conversation.admit(caller, stream, parameter)
    } catch (failure) {
      return { failure }
    }
  }

  async function open(asked: Handshake, upgrade: (data: SocketData<R>) => boolean): Promise<void> {
    if (parts.isStopping()) throw new StreamError(503, 'The server is stopping')
    const address = clientAddress(asked.remote, asked.forwardedFor, trusted)
    if (ipBlocks.severityOf(address) === 'no_access') throw new StreamError(403, 'Forbidden')
    const parameter = queryParameter(asked.query)
    const { authorization, protocol } = asked
    const secret = presentedSecret({ authorization, protocol, query: parameter('access_token') })
    let caller = await identify(tokens, secret)
    tokens.touch(caller.token, address)
    const account = caller.viewer.id
    parts.seats.take(account, address)
    let isOpen = false
    try {
      const from = parameter('last_event_id')
      const admitted = await admit(caller, parameter)
      await parts.cork.ready
      // Again, because nobody hears of a revocation before the connection is one. The token is in memory.
      caller = await identify(tokens, secret)
      const withIds = from !== undefined || parameter('event_ids') === 'true'
      const connection = new SocketConnection(parts, { caller, address, withIds })
      isOpen = upgrade({ connection })
      if (admitted === undefined) return
      if ('failure' in admitted) conversation.tellFailure(connection, admitted.failure)
      else if (isOpen && !connection.closed) conversation.begin(connection, admitted, from)
      else parts.release(admitted.reader)
    } finally {
      // Of a socket that is open its end gives the place back.
      if (!isOpen) parts.seats.leave(account, address)
    }
  }

  return async function accept(
    response: HttpResponse,
    asked: Handshake,
    upgrade: (data: SocketData<R>) => void,
  ): Promise<void> {
    const started = performance.now()
    const requestId = nextId()
    let gone = false
    let status = 101
    response.onAborted(() => {
      gone = true
    })
    try {
      await open(asked, data => {
        if (gone) return false
        parts.cork.upgrade(response, () => {
          response.writeStatus('101 Switching Protocols').writeHeader('X-Request-Id', requestId)
          upgrade(data)
        })
        return true
      })
    } catch (error) {
      const refusal = error instanceof StreamError ? error : new StreamError(500, 'An unexpected error occurred')
      status = refusal.status
      if (refusal !== error) logger.error({ requestId, err: error }, 'request failed')
      if (!gone) refuse(response, requestId, refusal)
    }
    metrics.requests.inc({ method: 'GET', route: '/api/v1/streaming', status })
    const durationMs = Math.round((performance.now() - started) * 100) / 100
    logger.info({ requestId, method: 'GET', url: asked.url, status, durationMs }, 'request')
  }
}

function refuse(response: HttpResponse, requestId: string, { status, message }: StreamError): void {
  const isLimit = status === 429
  response.cork(() => {
    response
      .writeStatus(STATUS_LINES[status] ?? String(status))
      .writeHeader('Content-Type', isLimit ? JSON_TYPE : 'text/plain')
      .writeHeader('X-Error-Message', message)
      .writeHeader('X-Request-Id', requestId)
      .end(isLimit ? JSON.stringify({ error: message }) : '', true)
  })
}
