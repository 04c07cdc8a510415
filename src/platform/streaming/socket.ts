import type { HttpRequest, HttpResponse, TemplatedApp, WebSocket } from 'uWebSockets.js'
import { parseNetworks } from '../../core/networks.ts'
import { JSON_TYPE } from '../http/response.ts'
import { clientAddress, forwardedForOf } from '../http/client_address.ts'
import type { UpgradeWorkaround } from '../http/upgrade_workaround.ts'
import type { Learned } from '../http/request.ts'
import { requestIds } from '../http/request_id.ts'
import { redact } from '../../core/logger.ts'
import type { Services } from '../services.ts'
import { identify, presentedSecret, StreamError, type Caller } from './access.ts'
import type { Subscription } from './channel.ts'
import type { ConnectionLimits } from './bounds.ts'
import { SERVICE_RESTART, type Connections } from './connections.ts'
import type { Admitted, Protocol, Peer } from './websocket_protocol.ts'
import { parseMessage, queryParameter } from './message.ts'
import type { WriteQueue } from './write_queue.ts'
import type { Entry, Parameter, Subscriptions } from './subscriptions.ts'
import type { TimingWheel } from './timing_wheel.ts'

/**
 * The limit of buffered data for a slow reader. A reader above it is disconnected and resumes by
 * id.
 */
const MAX_BACKLOG_BYTES = 256 * 1024
const MAX_MESSAGE_BYTES = 16 * 1024
/** For a peer that leaves a closed connection open. Pings find dead peers long before. */
const IDLE_SECONDS = 120

const NO_BINARY = 'The mastodon streaming server does not support binary messages'

/** The dependencies of sockets. */
export interface SocketParts<R> {
  readonly services: Services
  readonly protocol: Protocol<R>
  readonly subscriptions: Subscriptions<R>
  readonly connections: Connections<R>
  readonly limits: ConnectionLimits
  readonly pings: TimingWheel<SocketConnection<R>>
  readonly workaround: UpgradeWorkaround
  readonly writeQueue: WriteQueue
  readonly release: (reader: R) => void
  readonly definition: { readonly types: readonly { readonly name: string }[] }
  readonly isStopping: () => boolean
}

interface SocketData<R> {
  readonly connection: SocketConnection<R>
}

/**
 * An open WebSocket. Kept small, because a process holds many idle ones: this object, its
 * subscriptions, and the native socket.
 */
export class SocketConnection<R> implements Peer<R> {
  caller: Caller
  /** The client's address, for the limits. */
  readonly address: string
  readonly withIds: boolean
  readonly entries: Entry<R>[] = []
  closed = false
  waitingBytes = 0
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
    this.waitingBytes += message.length
    if (this.#waiting) {
      this.#waiting.push(message)
      return
    }
    this.#waiting = [message]
    this.#parts.writeQueue.add(this)
  }

  flush(): void {
    const messages = this.#waiting
    this.#waiting = undefined
    this.waitingBytes = 0
    const socket = this.#socket
    if (this.closed || !socket || !messages) return
    // uWebSockets.js corks a single message itself.
    if (messages.length === 1) this.#write(socket, messages)
    else socket.cork(() => this.#write(socket, messages))
  }

  #write(socket: WebSocket<SocketData<R>>, messages: readonly (string | Buffer)[]): void {
    const { connections } = this.#parts
    for (const message of messages) {
      // 1: sent; 0: buffered; 2: dropped, too much is buffered. Do not touch a socket it has
      // closed.
      if (this.closed) return
      if (socket.send(message) !== 2) continue
      connections.tooSlow('websocket')
      if (!this.closed) socket.close()
      return
    }
    connections.sent('websocket', messages.length)
  }

  sendError(error: string, status?: number): void {
    this.send(JSON.stringify(status === undefined ? { error } : { error, status }))
  }

  drained(): Promise<void> | undefined {
    this.flush()
    if (this.closed || !this.#socket || this.#socket.getBufferedAmount() === 0) return undefined
    return new Promise(resolve => (this.#drained ??= []).push(resolve))
  }

  /** Resolves `drained` when the buffer is empty or the connection is closed. */
  wake(): void {
    if (!this.#drained || (!this.closed && (this.#socket?.getBufferedAmount() ?? 0) > 0)) return
    const waiting = this.#drained
    this.#drained = undefined
    for (const resolve of waiting) resolve()
  }

  endWithError(subscription: Subscription<unknown>, refusal: StreamError): void {
    const entry = this.entries.find(found => found.subscription === subscription)
    if (entry) this.#parts.subscriptions.end(this, entry)
    this.sendError(refusal.message, refusal.status)
  }

  end(code: number): void {
    this.flush()
    if (!this.closed) this.#socket?.end(code)
  }

  disconnectToResume(): void {
    if (this.closed) return
    this.#parts.connections.interrupted('websocket')
    this.end(SERVICE_RESTART)
  }

  /** Disconnects a peer that did not answer the last ping. */
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

/** The stream that a path and a query name: some clients open sockets where event streams are. */
function streamOf(path: string, parameter: Parameter): string | undefined {
  const stream = parameter('stream')
  if (stream !== undefined && stream !== '') return stream
  const name = path.slice(ROOT.length).split('/').filter(Boolean).join(':')
  const isMedia = name.startsWith('public') && !name.endsWith(':media') && !FALSE.has(parameter('only_media') ?? '')
  return name === '' ? undefined : isMedia ? `${name}:media` : name
}

const ROOT = '/api/v1/streaming'
const FALSE: ReadonlySet<string> = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** Adds `GET /api/v1/streaming` and the paths of streams, with `Upgrade: websocket`. */
export function mountSockets<R>(app: TemplatedApp, parts: SocketParts<R>, upgraded: () => void): void {
  const { protocol, subscriptions, connections, limits, pings } = parts
  const accept = createHandshake(parts)
  const paths = [ROOT, ...parts.definition.types.map(({ name }) => `${ROOT}/${name.replaceAll(':', '/')}`)]
  for (const path of paths.flatMap(path => [path, `${path}/`])) {
    app.ws<SocketData<R>>(path, {
      maxPayloadLength: MAX_MESSAGE_BYTES,
      maxBackpressure: MAX_BACKLOG_BYTES,
      closeOnBackpressureLimit: true,
      idleTimeout: IDLE_SECONDS,
      sendPingsAutomatically: false,
      upgrade(response, request, context) {
        const handshake = copyHandshake(request, response)
        const upgrade = (data: SocketData<R>): void =>
          response.upgrade(data, handshake.key, handshake.subprotocol, handshake.extensions, context)
        void accept(response, handshake, upgrade)
      },
      open(socket) {
        upgraded()
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
        if (parsed) protocol.receive(socket.getUserData().connection, parsed)
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
        limits.release(connection.caller.viewer.id, connection.address)
      },
    })
  }
}

/** A copy of the handshake: uWebSockets.js reuses the request object after the handler returns. */
interface Handshake {
  readonly url: string
  readonly path: string
  readonly query: string
  readonly key: string
  readonly subprotocol: string
  readonly extensions: string
  readonly authorization: string
  readonly forwardedFor: string
  readonly remote: string
}

function copyHandshake(request: HttpRequest, response: HttpResponse): Handshake {
  const query = request.getQuery()
  return {
    url: redact(query === '' ? request.getUrl() : `${request.getUrl()}?${query}`),
    path: request.getUrl(),
    query,
    key: request.getHeader('sec-websocket-key'),
    subprotocol: request.getHeader('sec-websocket-protocol'),
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

/** Admits the subscription to a stream, if one is named. */
async function admitFirst<R>(
  protocol: Protocol<R>,
  caller: Caller,
  stream: string | undefined,
  parameter: Parameter,
): Promise<Admitted<R> | { failure: unknown } | undefined> {
  if (stream === undefined) return undefined
  try {
    return await protocol.admit(caller, stream, parameter)
  } catch (failure) {
    return { failure }
  }
}

/**
 * Checks the token once more, because a connection receives revocations only once it is registered.
 * The token is cached in memory. If it is no longer valid, the first subscription is released.
 */
async function identifyAgain<R>(
  { services, release }: SocketParts<R>,
  secret: string | undefined,
  admitted: Admitted<R> | { failure: unknown } | undefined,
): Promise<Caller> {
  try {
    return await identify(services.tokens, secret)
  } catch (error) {
    if (admitted && 'reader' in admitted) release(admitted.reader)
    throw error
  }
}

/**
 * Answers handshakes. The first subscription is admitted before the upgrade, so that an open socket
 * is already subscribed.
 */
function createHandshake<R>(parts: SocketParts<R>) {
  const { services, protocol } = parts
  const { config, logger, metrics, tokens, ipBlocks } = services
  const trusted = parseNetworks(config.trustedProxies)
  const nextId = requestIds()

  async function open(
    handshake: Handshake,
    address: string,
    learned: Learned,
    upgrade: (data: SocketData<R>) => boolean,
  ): Promise<void> {
    if (parts.isStopping()) throw new StreamError(503, 'The server is stopping')
    if (ipBlocks.severityOf(address) === 'no_access') throw new StreamError(403, 'Forbidden')
    const parameter = queryParameter(handshake.query)
    const { authorization, subprotocol } = handshake
    const secret = presentedSecret({ authorization, subprotocol, query: parameter('access_token') })
    let caller = await identify(tokens, secret)
    tokens.touch(caller.token, address)
    const account = caller.viewer.id
    learned.account = account
    parts.limits.acquire(account, address)
    let isOpen = false
    try {
      const from = parameter('last_event_id')
      const admitted = await admitFirst(protocol, caller, streamOf(handshake.path, parameter), parameter)
      await parts.workaround.ready
      caller = await identifyAgain(parts, secret, admitted)
      const withIds = from !== undefined || parameter('event_ids') === 'true'
      const connection = new SocketConnection(parts, { caller, address, withIds })
      isOpen = upgrade({ connection })
      if (admitted === undefined) return
      if ('failure' in admitted) protocol.sendFailure(connection, admitted.failure)
      else if (isOpen && !connection.closed) protocol.begin(connection, admitted, from)
      else parts.release(admitted.reader)
    } finally {
      // An open socket is released when it closes.
      if (!isOpen) parts.limits.release(account, address)
    }
  }

  return async function accept(
    response: HttpResponse,
    handshake: Handshake,
    upgrade: (data: SocketData<R>) => void,
  ): Promise<void> {
    const started = performance.now()
    const requestId = nextId()
    let isAborted = false
    let status = 101
    const address = clientAddress(handshake.remote, () => handshake.forwardedFor, trusted)
    const learned: Learned = {}
    response.onAborted(() => {
      isAborted = true
    })
    try {
      await open(handshake, address, learned, data => {
        if (isAborted) return false
        parts.workaround.upgrade(response, () => {
          response.writeStatus('101 Switching Protocols').writeHeader('X-Request-Id', requestId)
          upgrade(data)
        })
        return true
      })
    } catch (error) {
      const refusal = error instanceof StreamError ? error : new StreamError(500, 'An unexpected error occurred')
      status = refusal.status
      if (refusal !== error) logger.error({ requestId, err: error }, 'request failed')
      if (!isAborted) refuse(response, requestId, refusal)
    }
    metrics.requests.inc({ method: 'GET', route: '/api/v1/streaming', status })
    const durationMs = Math.round((performance.now() - started) * 100) / 100
    const client = config.logClients ? { address, ...learned } : undefined
    logger.info({ requestId, method: 'GET', url: handshake.url, status, durationMs, ...client }, 'request')
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
