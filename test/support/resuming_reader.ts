import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { WebSocket } from 'ws'
import { Inbox } from './inbox.ts'
import type { Person } from './people.ts'
import type { ServerAddress } from './server.ts'

/** A message with its id, by which a client resumes. */
export interface ReceivedMessage {
  readonly id: string
  readonly event: string
  readonly payload: string
}

export type Transport = 'websocket' | 'sse'

const AGAIN_MS = 50

/** Callbacks of a connection. */
interface Listener {
  /** Called when it is open, with the name of the process; returning false closes it. */
  opened(worker: string): boolean
  got(message: ReceivedMessage): void
  /** @param code of a WebSocket's close frame */
  closed(code?: number): void
}

/** Opens a connection; the returned function cuts it. */
type Connect = (url: URL, listener: Listener) => () => void

/** Request ids begin with a random part for each process. */
const workerOf = (requestId: unknown): string => String(requestId).split('-')[0] ?? ''

const connectSocket: Connect = (url, { opened, got, closed }) => {
  const socket = new WebSocket(url)
  socket.on('error', () => {}) // `close` follows
  socket.on('close', code => closed(code))
  socket.on('upgrade', ({ headers }) => {
    if (!opened(workerOf(headers['x-request-id']))) return socket.terminate()
    socket.on('message', (data: Buffer) => {
      const { id, event, payload } = JSON.parse(data.toString()) as ReceivedMessage
      got({ id, event, payload })
    })
  })
  return () => socket.terminate()
}

const connectEvents: Connect = (url, { opened, got, closed }) => {
  const sent = request(url, { agent: false }, response => {
    response.on('error', () => {}) // `close` follows
    if (response.statusCode !== 200 || !opened(workerOf(response.headers['x-request-id']))) return sent.destroy()
    let rest = ''
    response.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = new Map(block.split('\n').map(line => [line.split(': ', 1)[0], line.replace(/^[^:]*: ?/, '')]))
        const [id, event, payload] = [fields.get('id'), fields.get('event'), fields.get('data')]
        if (id !== undefined && event !== undefined && payload !== undefined) got({ id, event, payload })
      }
    })
  })
  sent.on('error', () => {}) // `close` follows
  sent.on('close', () => closed())
  sent.end()
  return () => sent.destroy()
}

const CONNECT: Readonly<Record<Transport, Connect>> = { websocket: connectSocket, sse: connectEvents }

/** The stream of a reader, and its start. */
export interface ReaderOptions {
  readonly transport: Transport
  /** The name of the stream, as on a WebSocket. */
  readonly stream: string
  readonly parameters?: Readonly<Record<string, string>>
  /** The id after which it starts. */
  readonly from: string
  /** A server process that it does not read from. */
  readonly notFrom?: string | undefined
  /** Whether it reads from whichever process answers, as clients do. */
  readonly fromAny?: boolean
}

/**
 * A client as the documentation describes it: whenever its connection ends it opens another with
 * the last received id. It stays with its first server process, unless it reads from any.
 */
export class ResumingReader {
  readonly inbox = new Inbox<ReceivedMessage>(({ event, id }) => `${event} (${id})`)
  /** The close codes of its WebSockets. */
  readonly codes: number[] = []
  connections = 0
  /** Its server process. */
  worker: string | undefined
  readonly wanted: ReaderOptions
  readonly #url: URL
  readonly #opened = Promise.withResolvers<void>()
  #last: string
  #cut: () => void = () => undefined
  #stopped = false

  constructor(server: ServerAddress, person: Person, wanted: ReaderOptions) {
    const { transport, stream, parameters = {} } = wanted
    this.wanted = wanted
    this.#last = wanted.from
    const path = transport === 'sse' ? `/api/v1/streaming/${stream.replaceAll(':', '/')}` : '/api/v1/streaming'
    this.#url = new URL(path, transport === 'sse' ? server.url : server.url.replace(/^http/, 'ws'))
    this.#url.search = new URLSearchParams({ ...parameters, stream, access_token: person.token ?? '' }).toString()
    this.#connect()
  }

  /** Resolves when it has connected for the first time. */
  get opened(): Promise<void> {
    return this.#opened.promise
  }

  #connect(): void {
    const url = new URL(this.#url)
    url.searchParams.set('last_event_id', this.#last)
    let isWanted = true
    this.#cut = CONNECT[this.wanted.transport](url, {
      opened: worker => {
        isWanted = this.#accepts(worker)
        return isWanted
      },
      got: message => {
        this.#last = message.id
        this.inbox.push(message)
      },
      closed: code => {
        if (code !== undefined && isWanted) this.codes.push(code)
        void delay(isWanted ? AGAIN_MS : 0).then(() => this.#stopped || this.#connect())
      },
    })
  }

  #accepts(worker: string): boolean {
    if (this.#stopped) return false
    if (this.wanted.fromAny === true) this.worker = worker
    else if (worker !== this.wanted.notFrom) this.worker ??= worker
    if (worker !== this.worker) return false
    this.connections += 1
    this.#opened.resolve()
    return true
  }

  /** Cuts its connection; it reconnects. */
  cut(): void {
    this.#cut()
  }

  stop(): void {
    this.#stopped = true
    this.#cut()
  }
}

/** Starts a reader and waits until it has connected. Stopped at the end of the test. */
export async function startReader(
  t: Test,
  server: ServerAddress,
  person: Person,
  wanted: ReaderOptions,
): Promise<ResumingReader> {
  const reader = new ResumingReader(server, person, wanted)
  t.after(() => reader.stop())
  await reader.opened
  return reader
}
