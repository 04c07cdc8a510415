import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A connection between a client and a server that a test can cut. */
export interface Cable {
  /** As the server's URL, through the cable. */
  readonly url: string
  /** Ends what goes through it without a word. New connections are carried as before. */
  cut(): void
}

/** Lays a cable to the server behind `url`; it is gone with the test. */
export async function layCable(t: TestContext, url: string): Promise<Cable> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket)
    socket.on('error', () => {}) // it was cut
    socket.once('close', () => {
      open.delete(socket)
      other.destroy()
    })
    socket.pipe(other)
  }
  const server = createServer(near => {
    const far = connect(Number(port), hostname)
    keep(near, far)
    keep(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    cut()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the cable has no end')
  return { url: `http://127.0.0.1:${address.port}`, cut }
}
