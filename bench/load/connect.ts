import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The read buffer of all plain sockets in this process: data must be used at once or copied. */
const shared = Buffer.allocUnsafe(65_536)

/**
 * Connects to the server of a URL.
 * @param take gets each chunk, which is valid until it returns
 */
export function connect(url: URL, take: (chunk: Buffer) => void): Promise<Socket> {
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:'
  const host = url.hostname
  const port = Number(url.port) || (isSecure ? 443 : 80)
  return new Promise((resolve, reject) => {
    const callback = (length: number): boolean => {
      take(shared.subarray(0, length))
      return true
    }
    // One shared read buffer, instead of a new one for each chunk, halves the cost of receiving.
    const socket = isSecure
      ? connectTls({ host, port, servername: host }).on('data', take)
      : connectPlain({ host, port, onread: { buffer: shared, callback } })
    socket.setNoDelay(true)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
