import { once } from 'node:events'
import { connect } from 'node:net'
import type { Test } from 'tap'
import { Inbox } from './inbox.ts'
import { waitForAllEventLogs } from './processes.ts'

/**
 * Decodes the complete chunks of a response; a reader of chunks gets nothing else (RFC 9112,
 * section 7.1).
 */
class ChunkDecoder {
  readonly #take: (chunk: string) => void
  #head = ''
  #rest = Buffer.alloc(0)

  constructor(take: (chunk: string) => void) {
    this.#take = take
  }

  /** The head of the response, or '' before it is complete. */
  get head(): string {
    return this.#head
  }

  receive(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    if (this.#head === '') {
      const end = this.#rest.indexOf('\r\n\r\n')
      if (end < 0) return
      this.#head = this.#rest.toString('latin1', 0, end)
      this.#rest = this.#rest.subarray(end + 4)
    }
    for (let chunk = this.#next(); chunk !== undefined; chunk = this.#next()) this.#take(chunk)
  }

  #next(): string | undefined {
    const lineEnd = this.#rest.indexOf('\r\n')
    if (lineEnd < 0) return undefined
    const line = this.#rest.toString('latin1', 0, lineEnd)
    if (!/^[0-9a-f]+$/i.test(line)) throw new Error(`not the size of a chunk: ${JSON.stringify(line)}`)
    const from = lineEnd + 2
    const to = from + Number.parseInt(line, 16)
    if (this.#rest.length < to + 2) return undefined
    if (this.#rest.toString('latin1', to, to + 2) !== '\r\n') throw new Error('a chunk does not end with a line break')
    const chunk = this.#rest.toString('utf8', from, to)
    this.#rest = this.#rest.subarray(to + 2)
    return chunk
  }
}

export interface ChunkReader {
  /** The head of the response: status line and headers. */
  readonly head: string
  /** The complete chunks. */
  readonly chunks: Inbox<string>
}

/**
 * Opens a stream of server-sent events over a raw socket and decodes the chunks of the response;
 * resolves when the head is complete.
 */
export async function readChunks(t: Test, url: string, token: string | undefined, path: string): Promise<ChunkReader> {
  await waitForAllEventLogs(url)
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  t.after(() => socket.destroy())
  const chunks = new Inbox<string>(chunk => JSON.stringify(chunk))
  const decoder = new ChunkDecoder(chunk => chunks.push(chunk))
  const opened = Promise.withResolvers<void>()
  socket.on('error', error => {
    chunks.fail(error)
    opened.reject(error)
  })
  socket.on('data', bytes => {
    decoder.receive(Buffer.from(bytes))
    if (decoder.head !== '') opened.resolve()
  })
  await once(socket, 'connect')
  socket.write(
    `GET /api/v1/streaming/${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token ?? ''}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  await opened.promise
  return { head: decoder.head, chunks }
}
