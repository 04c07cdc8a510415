import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request whose bytes the test sends itself. */
export interface RawRequest {
  readonly socket: Socket
  /** The response so far. */
  readonly answer: string
  /**
   * Sends bytes; resolves when they are written, or the server has responded or closed the
   * connection.
   */
  send(bytes: Buffer | string): Promise<void>
  /** The status of the response; 0 when the connection was closed without one. */
  status(): Promise<number>
}

const STATUS = /^HTTP\/1\.1 (\d{3})/

/** Opens a connection and sends the head of a request. Closed at the end of the test. */
export async function openRequest(
  t: { after(end: () => void): void },
  url: string,
  line: string,
  headers: Readonly<Record<string, string | number>>,
): Promise<RawRequest> {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  let answer = ''
  const over = new Promise<void>(resolve => {
    socket.setEncoding('latin1').on('data', text => {
      answer += String(text)
      if (STATUS.test(answer)) resolve()
    })
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return {
    socket,
    get answer() {
      return answer
    },
    send: bytes => Promise.race([over, new Promise<void>(resolve => void socket.write(bytes, () => resolve()))]),
    async status() {
      await over
      return Number(STATUS.exec(answer)?.[1] ?? 0)
    },
  }
}
