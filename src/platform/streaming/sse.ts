import { Response, json, plain, type Sink } from '../http/response.ts'
import type { Request } from '../http/request.ts'
import type { TokenStore } from '../http/token_store.ts'
import type { Services } from '../services.ts'
import { identify, presentedSecret, StreamError, type Caller } from './access.ts'
import type { ConnectionLimits } from './bounds.ts'
import type { Connections } from './connections.ts'
import { EVENT_ENCODER, EVENT_ENCODER_WITH_IDS } from './frame.ts'
import { queryParameter } from './message.ts'
import type { WriteQueue } from './write_queue.ts'
import type { Connection, Definition, Entry, StreamType, Subscriptions } from './subscriptions.ts'
import type { TimingWheel } from './timing_wheel.ts'

export interface EventStreamParts<R> {
  readonly services: Services
  readonly definition: Definition<R>
  readonly subscriptions: Subscriptions<R>
  readonly connections: Connections<R>
  readonly limits: ConnectionLimits
  readonly thumps: TimingWheel<EventConnection<R>>
  readonly writeQueue: WriteQueue
  readonly isStopping: () => boolean
}

/** An open stream of server-sent events, with one subscription. */
export class EventConnection<R> implements Connection<R> {
  caller: Caller
  readonly entries: Entry<R>[] = []
  closed = false
  waitingBytes = 0
  #waiting: Buffer[] | undefined
  readonly #sink: Sink
  readonly #connections: Connections<R>
  readonly #writeQueue: WriteQueue

  constructor(
    caller: Caller,
    sink: Sink,
    { connections, writeQueue }: Pick<EventStreamParts<R>, 'connections' | 'writeQueue'>,
  ) {
    this.caller = caller
    this.#sink = sink
    this.#connections = connections
    this.#writeQueue = writeQueue
  }

  send(message: string | Buffer): void {
    if (this.closed) return
    const bytes = typeof message === 'string' ? Buffer.from(message) : message
    this.waitingBytes += bytes.length
    if (this.#waiting) {
      this.#waiting.push(bytes)
      return
    }
    this.#waiting = [bytes]
    this.#writeQueue.add(this)
  }

  flush(): void {
    const messages = this.#waiting
    this.#waiting = undefined
    this.waitingBytes = 0
    if (this.closed || !messages) return
    const [first] = messages
    const bytes = messages.length === 1 && first ? first : Buffer.concat(messages)
    if (this.#sink.write(bytes)) this.#connections.sent('sse', messages.length)
    else this.#connections.tooSlow('sse')
  }

  drained(): Promise<void> | undefined {
    this.flush()
    return this.closed ? undefined : this.#sink.drained()
  }

  endWithError(): void {
    this.end()
  }

  end(): void {
    this.flush()
    if (!this.closed) this.#sink.end()
  }

  disconnectToResume(): void {
    if (this.closed) return
    this.#connections.interrupted('sse')
    this.end()
  }

  /**
   * Sends a comment that ends with its own line: to clients that take every empty line for the end
   * of an event, an empty line would be an event without a name.
   */
  thump(): void {
    if (!this.closed) this.#sink.write(':thump\n')
  }
}

/** Answers requests for streams of server-sent events. */
export interface EventStreams {
  /** @param name of the stream, as on a WebSocket; undefined for an unknown path */
  respond(request: Request, name: string | undefined): Promise<Response>
}

/**
 * Ends a connection whose token was revoked before it was registered: only from then on does it
 * receive revocations.
 */
async function identifyAgain(
  connection: EventConnection<unknown>,
  tokens: TokenStore,
  secret: string | undefined,
): Promise<void> {
  try {
    connection.caller = await identify(tokens, secret)
  } catch {
    // When the token cannot be looked up, the client asks again.
    connection.end()
  }
}

const WITH_IDS = { encoder: EVENT_ENCODER_WITH_IDS, key: 'sse ids' }
const WITHOUT_IDS = { encoder: EVENT_ENCODER, key: 'sse' }

/**
 * Whether the client can use the ids of events: an EventSource, or a client that asks for them by
 * resuming or with an empty `last_event_id`. Several libraries know only events of two lines and
 * lose those with an id. One of them, megalodon, accepts what an EventSource accepts, but names a
 * type of the body that it does not send.
 */
function usesIds(request: Request, lastEventId: string | undefined): boolean {
  if (lastEventId !== undefined || request.header('last-event-id') !== '') return true
  return /\btext\/event-stream\b/i.test(request.header('accept')) && request.header('content-type') === ''
}

export function createEventStreams<R>(parts: EventStreamParts<R>): EventStreams {
  const { services, definition, subscriptions, connections, limits, thumps } = parts
  const { tokens } = services
  const types = new Map(definition.types.map(type => [type.name, type]))

  async function open(request: Request, type: StreamType<R>): Promise<Response> {
    const parameter = queryParameter(request.query)
    const secret = presentedSecret({
      authorization: request.header('authorization'),
      query: parameter('access_token'),
      subprotocol: request.header('sec-websocket-protocol'),
    })
    const caller = await identify(tokens, secret)
    tokens.touch(caller.token, request.address)
    request.learned.account = caller.viewer.id
    subscriptions.requireScope(caller, type)
    const channelKey = type.locate(caller, parameter)
    const leave = (): void => limits.release(caller.viewer.id, request.address)
    limits.acquire(caller.viewer.id, request.address)
    const reader = await type.admit(caller, channelKey).catch((error: unknown) => {
      leave()
      throw error
    })
    const discard = (): void => {
      leave()
      definition.release(reader)
    }
    // It may have been revoked meanwhile. The token is cached in memory.
    const current = await identify(tokens, secret).catch((error: unknown) => {
      discard()
      throw error
    })
    const from = request.header('last-event-id') || parameter('last_event_id')
    const encoding = usesIds(request, parameter('last_event_id')) ? WITH_IDS : WITHOUT_IDS
    const headers = { 'X-Accel-Buffering': 'no' }
    const body = {
      open(sink: Sink): () => void {
        const connection = new EventConnection(current, sink, parts)
        connections.add(connection, 'sse')
        thumps.add(connection)
        sink.write(':)\n')
        subscriptions.begin(connection, { type, channelKey, reader }, encoding, from)
        void identifyAgain(connection, tokens, secret)
        return () => {
          connection.closed = true
          thumps.remove(connection)
          subscriptions.endAll(connection)
          connections.remove(connection, 'sse')
          leave()
        }
      },
      discard,
    }
    return new Response(200, 'text/event-stream', body, headers)
  }

  return {
    async respond(request, name) {
      try {
        const type = name === undefined ? undefined : types.get(name)
        if (!type) throw new StreamError(400, 'Unknown channel requested')
        if (parts.isStopping()) return plain('', 503)
        return await open(request, type)
      } catch (error) {
        if (error instanceof StreamError) return json({ error: error.message }, error.status)
        services.logger.error({ requestId: request.id, err: error }, 'request failed')
        return json({ error: 'An unexpected error occurred' }, 500)
      }
    },
  }
}
