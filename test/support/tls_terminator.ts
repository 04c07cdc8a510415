import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { Test } from 'tap'
import type { Certificates } from './certificates.ts'

/** Serves TLS on a port for a server on another port of this machine, until the end of the test. */
export async function startTlsTerminator(t: Test, certificates: Certificates, port: number, to: number): Promise<void> {
  const sockets = new Set<Socket>()
  const server = createServer(
    { key: readFileSync(certificates.key), cert: readFileSync(certificates.certificate) },
    outer => {
      const inner = connect(to, '127.0.0.1')
      sockets.add(outer)
      for (const socket of [outer, inner]) socket.on('error', () => undefined)
      outer.on('close', () => {
        sockets.delete(outer)
        inner.destroy()
      })
      inner.on('close', () => outer.destroy())
      outer.pipe(inner).pipe(outer)
    },
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(
    () =>
      new Promise<void>(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
}
