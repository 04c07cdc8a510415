import { once } from 'node:events'
import { WebSocket } from 'ws'
import { waitForAllEventLogs } from './processes.ts'
import type { ServerAddress } from './server.ts'

/** A message of a stream, with its payload parsed where it is JSON. */
export interface StreamMessage {
  readonly stream: readonly string[]
  readonly event: string
  readonly payload: unknown
  readonly id: string | undefined
  readonly error?: string
  readonly status?: number
}

const WAIT_MS = 30_000

/** A WebSocket to the streaming API that queues messages until a test takes them. */
export class TestSocket {
  readonly socket: WebSocket
  readonly messages: StreamMessage[] = []
  /** Code and reason of the close frame; 1006 without one. `end` waits for it with a time limit. */
  readonly closed: Promise<{ code: number; reason: string }>
  #waiting: (() => void)[] = []

  constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise(resolve => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
    })
    socket.on('message', (data: Buffer) => {
      const raw = JSON.parse(data.toString()) as Record<string, unknown>
      this.messages.push({
        stream: (raw['stream'] as string[] | undefined) ?? [],
        event: (raw['event'] as string | undefined) ?? '',
        payload: parsePayload(raw['payload']),
        id: raw['id'] as string | undefined,
        ...(raw['error'] === undefined ? {} : { error: raw['error'] as string }),
        ...(raw['status'] === undefined ? {} : { status: Number(raw['status']) }),
      })
      for (const wake of this.#waiting.splice(0)) wake()
    })
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  /** Waits until the server has closed the socket. */
  async end(): Promise<{ code: number; reason: string }> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the socket was not closed within ${WAIT_MS} ms`)), WAIT_MS)
    })
    return Promise.race([this.closed, late]).finally(() => clearTimeout(timer))
  }

  /** Takes the next error message. */
  async nextError(): Promise<{ error: string | undefined; status: number | undefined }> {
    const { error, status } = await this.next('', message => message.error !== undefined)
    return { error, status }
  }

  /**
   * Takes the first matching message and drops earlier ones; fails with the event's name after 30
   * seconds.
   */
  async next(event: string, fits: (message: StreamMessage) => boolean = () => true): Promise<StreamMessage> {
    const taken = await this.upTo(event, fits)
    const last = taken.at(-1)
    if (!last) throw new Error('nothing was taken')
    return last
  }

  /** Takes all messages up to and including the first matching one. */
  async upTo(event: string, fits: (message: StreamMessage) => boolean = () => true): Promise<StreamMessage[]> {
    const deadline = Date.now() + WAIT_MS
    for (;;) {
      const index = this.messages.findIndex(message => message.event === event && fits(message))
      if (index >= 0) return this.messages.splice(0, index + 1)
      const leftMs = deadline - Date.now()
      if (leftMs <= 0) {
        const seen = this.messages.map(message => message.event || message.error).join(', ')
        throw new Error(`no "${event}" came within ${WAIT_MS} ms; there were: ${seen || 'none'}`)
      }
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, leftMs)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return
    const closed = once(this.socket, 'close')
    this.socket.close()
    await closed
  }
}

function parsePayload(payload: unknown): unknown {
  if (typeof payload !== 'string') return payload
  try {
    const parsed: unknown = JSON.parse(payload)
    return typeof parsed === 'object' ? parsed : payload
  } catch {
    return payload
  }
}

/** Opens a socket and waits until it is open; a stream named in the query is subscribed by then. */
export async function openSocket(
  server: ServerAddress,
  token: string | undefined,
  stream?: string,
  parameters: Record<string, string> = {},
  options: { protocols?: string[]; headers?: Record<string, string>; autoPong?: boolean; path?: string } = {},
): Promise<TestSocket> {
  const { protocols, path = '', ...rest } = options
  const url = new URL(`/api/v1/streaming${path}`, server.url.replace(/^http/, 'ws'))
  if (token !== undefined) url.searchParams.set('access_token', token)
  if (stream !== undefined) url.searchParams.set('stream', stream)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  await waitForAllEventLogs(server.url)
  const opened = new TestSocket(new WebSocket(url, protocols ?? [], rest))
  await once(opened.socket, 'open')
  return opened
}
