import type { Socket } from 'node:net'
import { connect } from './connect.ts'

export interface Received {
  readonly status: number
  /** Only if it was requested. */
  readonly body: string
}

/**
 * An HTTP/1.1 connection that sends prepared requests one after the other. It parses only the
 * status line and the length, so that the load generator costs less than the server. After the
 * server closes it, the next request opens it again.
 */
export interface Connection {
  /** Resolves when the response is complete. */
  send(request: Buffer, options?: { keepBody: boolean }): Promise<Received>
  close(): void
}

/** A serialized request. */
export function writeRequest(
  url: URL,
  {
    method,
    path,
    token,
    body,
    type = 'application/json',
  }: {
    method: string
    path: string
    token?: string | undefined
    body?: string | Buffer | undefined
    /** The type of the body. */
    type?: string
  },
): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${url.host}`, 'User-Agent: millrace-bench']
  if (token !== undefined && token !== '') head.push(`Authorization: Bearer ${token}`)
  if (body !== undefined) head.push(`Content-Type: ${type}`)
  if (method !== 'GET') head.push(`Content-Length: ${Buffer.byteLength(body ?? '')}`)
  const start = `${head.join('\r\n')}\r\n\r\n`
  return body instanceof Buffer ? Buffer.concat([Buffer.from(start), body]) : Buffer.from(start + (body ?? ''))
}

const HEAD_END = Buffer.from('\r\n\r\n')
/**
 * JSON and HTML never contain this inside of a chunk, because they escape line breaks or use a
 * single character.
 */
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Parses consecutive responses from chunks. */
class AnswerReader {
  keepBody = false
  /** Whether the server closes the connection after this response. */
  closes = false
  readonly #done: (received: Received) => void
  #held: Buffer = Buffer.alloc(0)
  #missing = 0
  #status = 0
  #body: Buffer[] = []
  #inBody = false
  #chunked = false

  constructor(done: (received: Received) => void) {
    this.#done = done
  }

  take(chunk: Buffer): void {
    if (this.#inBody) return this.#takeBody(chunk)
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const end = all.indexOf(HEAD_END)
    if (end < 0) {
      this.#held = Buffer.from(all)
      return
    }
    this.#held = Buffer.alloc(0)
    this.#readHead(all.toString('latin1', 0, end))
    this.#takeBody(all.subarray(end + HEAD_END.length))
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12))
    this.#chunked = /\r\ntransfer-encoding: *chunked/i.test(head)
    this.#missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    this.closes = /\r\nconnection: *close/i.test(head)
    this.#inBody = true
  }

  #takeBody(chunk: Buffer): void {
    if (this.keepBody) this.#body.push(Buffer.from(chunk))
    this.#missing -= chunk.length
    const isWhole = this.#chunked
      ? chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) || (this.#held.length > 0 && this.#endsWith(chunk))
      : this.#missing <= 0
    if (!isWhole) {
      if (this.#chunked) this.#held = Buffer.from(chunk.subarray(-LAST_CHUNK.length))
      return
    }
    const body = this.keepBody ? Buffer.concat(this.#body).toString() : ''
    this.#body = []
    this.#held = Buffer.alloc(0)
    this.#inBody = false
    this.#done({ status: this.#status, body })
  }

  /** Whether the last chunk was split by the network. */
  #endsWith(chunk: Buffer): boolean {
    return Buffer.concat([this.#held, chunk]).subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
  }
}

export function createConnection(url: URL): Connection {
  let opening: Promise<Opened> | undefined
  let pending: { resolve: (received: Received) => void; reject: (error: Error) => void } | undefined

  function settle(received: Received | Error): void {
    const waiting = pending
    pending = undefined
    if (received instanceof Error) waiting?.reject(received)
    else waiting?.resolve(received)
  }

  function open(): Promise<Opened> {
    const forget = (): void => {
      if (opening === made) opening = undefined
    }
    const reader = new AnswerReader(received => {
      if (reader.closes) forget()
      settle(received)
    })
    const made = connect(url, chunk => reader.take(chunk)).then(socket => {
      const lose = (error: Error): void => {
        // Ignores a connection that was given up before.
        if (opening !== made) return
        forget()
        settle(error)
      }
      socket.on('error', lose).on('close', () => lose(new Error('the connection was closed')))
      return { socket, reader }
    })
    made.catch(forget)
    return made
  }

  return {
    async send(request, options) {
      const { socket, reader } = await (opening ??= open())
      reader.keepBody = options?.keepBody ?? false
      return new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(request)
      })
    },
    close() {
      opening?.then(
        ({ socket }) => socket.destroy(),
        () => undefined,
      )
      opening = undefined
    },
  }
}

interface Opened {
  readonly socket: Socket
  readonly reader: AnswerReader
}
