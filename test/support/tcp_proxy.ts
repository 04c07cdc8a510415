import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import pg from 'pg'
import type { Test } from 'tap'

/** A connection between a client and a server that a test can cut. */
export interface TcpProxy {
  /** The server's URL through the proxy. */
  readonly url: string
  /** Cuts all connections. New ones are forwarded as before. */
  cut(): void
  /** Cuts all connections, and refuses new ones until `restore`. */
  remove(): void
  /** Calls `remove` as soon as the server has sent this text and the client has received it. */
  removeAfter(text: string): Promise<void>
  restore(): Promise<void>
  /** The number of accepted connections. */
  accepted(): number
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port')
  return address.port
}

/** @param addressOf the server's URL with the local port of the proxy */
async function start(t: Test, far: NetConnectOpts, addressOf: (port: number) => string): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let accepted = 0
  let awaited: { text: string; met: () => void } | undefined

  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket)
    socket.on('error', () => {}) // it was cut
    socket.once('close', () => {
      open.delete(socket)
      other.destroy()
    })
  }
  const server = createServer(near => {
    accepted += 1
    const upstream = connect(far)
    keep(near, upstream)
    keep(upstream, near)
    near.pipe(upstream)
    upstream.on('end', () => near.end())
    upstream.on('data', (bytes: Buffer) => {
      near.write(bytes, () => {
        if (awaited && bytes.includes(awaited.text)) awaited.met()
      })
    })
  })
  const port = await listen(server, 0)
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  const remove = (): void => {
    server.close()
    cut()
  }
  t.after(remove)
  return {
    url: addressOf(port),
    cut,
    remove,
    removeAfter: text =>
      new Promise(resolve => {
        awaited = {
          text,
          met() {
            awaited = undefined
            remove()
            resolve()
          },
        }
      }),
    async restore() {
      await listen(server, port)
    },
    accepted: () => accepted,
  }
}

/** Starts a proxy to the HTTP server at `url`, until the test ends. */
export function startProxy(t: Test, url: string): Promise<TcpProxy> {
  const { hostname: host, port } = new URL(url)
  return start(t, { host, port: Number(port) }, own => `http://127.0.0.1:${own}`)
}

/** Starts a proxy to PostgreSQL. */
export function startDatabaseProxy(t: Test, url: string): Promise<TcpProxy> {
  const { host, port } = new pg.Client({ connectionString: url })
  const far = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  return start(t, far, own => {
    const through = new URL(url)
    through.host = `127.0.0.1:${own}`
    through.searchParams.delete('host')
    return through.href
  })
}
