import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** What every plain socket of this process reads into: what is not taken at once must be copied. */
const shared = Buffer.allocUnsafe(65_536)

/**
 * A connection to the server of a URL.
 * @param take is lent each chunk that arrives, until it returns
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
    // Reading into one buffer instead of a new one a chunk halves what receiving costs.
    const socket = isSecure
      ? connectTls({ host, port, servername: host }).on('data', take)
      : connectPlain({ host, port, onread: { buffer: shared, callback } })
    socket.setNoDelay(true)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
