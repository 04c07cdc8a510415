import { createServer } from 'node:net'

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'this user may not use the port',
}

/**
 * Checks that a port is free; 0 finds a free one. uWebSockets.js shares ports with any process, so
 * a second server on the same port would go unnoticed.
 * @returns the port
 * @throws Error with one clear line when the port is taken or not allowed
 */
export function probePort(bind: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''] ?? error.code ?? error.message
      reject(new Error(`cannot listen on ${bind}:${port}: ${reason}`, { cause: error }))
    })
    probe.listen({ host: bind, port, exclusive: true }, () => {
      const address = probe.address()
      const found = typeof address === 'object' && address ? address.port : port
      probe.close(() => resolve(found))
    })
  })
}
