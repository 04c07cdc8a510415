import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A response as received. */
export interface RawResponse {
  readonly version: string
  readonly status: number
  /** By lower-case name; the values of a repeated header are joined by commas. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const HEAD_END = '\r\n\r\n'

/** A connection on which a test writes requests byte for byte, and reads the responses in order. */
export class RawConnection {
  readonly #socket: Socket
  #received = ''
  #ended = false
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      this.#received += chunk
      this.#wake()
    })
    for (const event of ['end', 'error', 'close']) {
      socket.on(event, () => {
        this.#ended = true
        this.#wake()
      })
    }
  }

  /**
   * @param url for https any certificate is accepted
   * @param from the local address of the connection
   */
  static async open(url: string, from?: string): Promise<RawConnection> {
    const { protocol, hostname, port } = new URL(url)
    const plain = connect({ host: hostname, port: Number(port), ...(from !== undefined && { localAddress: from }) })
    await once(plain, 'connect')
    if (protocol !== 'https:') return new RawConnection(plain)
    const secure = connectTls({ socket: plain, rejectUnauthorized: false })
    await once(secure, 'secureConnect')
    return new RawConnection(secure)
  }

  /**
   * Sends a request and reads its response.
   * @throws Error when the connection ends before the response is complete
   */
  async request(first: string, headers: readonly string[] = [], body = ''): Promise<RawResponse> {
    this.#socket.write(`${[first, ...headers].join('\r\n')}${HEAD_END}${body}`)
    const head = await this.#take(received => {
      const end = received.indexOf(HEAD_END)
      return end < 0 ? undefined : end + HEAD_END.length
    })
    const [line = '', ...fields] = head.trimEnd().split('\r\n')
    const parsed = /^HTTP\/([0-9.]+) ([0-9]{3})/.exec(line)
    if (!parsed) throw new Error(`no status line: ${JSON.stringify(head.slice(0, 200))}`)
    const [, version = '', status = ''] = parsed
    const found = new Map<string, string>()
    for (const field of fields) {
      const [name = '', ...rest] = field.split(':')
      const value = rest.join(':').trim()
      const before = found.get(name.toLowerCase())
      found.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
    }
    const without = first.startsWith('HEAD ') || status === '204' || status === '304'
    const length = Number(found.get('content-length') ?? 0)
    const text = without ? '' : await this.#take(received => (received.length >= length ? length : undefined))
    return { version, status: Number(status), headers: found, body: text }
  }

  /** The remaining data until the server ends the connection. */
  async rest(): Promise<string> {
    return this.#take(received => (this.#ended ? received.length : undefined))
  }

  close(): void {
    this.#socket.destroy()
  }

  async #take(lengthOf: (received: string) => number | undefined): Promise<string> {
    for (;;) {
      const length = lengthOf(this.#received)
      if (length !== undefined) {
        const taken = this.#received.slice(0, length)
        this.#received = this.#received.slice(length)
        return taken
      }
      if (this.#ended) throw new Error(`the connection ended after ${JSON.stringify(this.#received.slice(0, 200))}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
  }
}
