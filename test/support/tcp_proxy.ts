import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Test } from 'tap'

/** How bytes are passed on: at most so many, after so many milliseconds. */
interface Pace {
  readonly everyMs: number
  readonly bytes?: number
}

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
  /**
   * From now on nothing passes, in neither direction, and nobody is told: as if a router had lost
   * the connections. New ones are accepted, and are as silent.
   */
  swallow(): void
  /** New connections are forwarded again; those that were swallowed stay silent. */
  hear(): void
  /** Passes everything on later, in pieces; at once when it is undefined. */
  slow(pace: Pace | undefined): void
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

/** What a proxy does with bytes at the moment. */
interface Manner {
  pace: Pace | undefined
  isSilent: boolean
}

/** Passes bytes on in order, at the pace of the moment when they arrive. */
function createForward(
  manner: Manner,
  isSwallowed: () => boolean,
  send: (bytes: Buffer) => void,
): (bytes: Buffer) => void {
  let sent = Promise.resolve()
  let waiting = 0

  const sendSlowly = async (bytes: Buffer, { everyMs, bytes: most = bytes.length }: Pace): Promise<void> => {
    for (let from = 0; from < bytes.length; from += most) {
      await delay(everyMs)
      if (!isSwallowed()) send(bytes.subarray(from, from + most))
    }
    waiting -= 1
  }
  return bytes => {
    if (isSwallowed()) return
    const { pace } = manner
    if (pace === undefined && waiting === 0) {
      send(bytes)
      return
    }
    waiting += 1
    sent = sent.then(() => sendSlowly(bytes, pace ?? { everyMs: 0 }))
  }
}

/** @param addressOf the server's URL with the local port of the proxy */
async function start(t: Test, far: NetConnectOpts, addressOf: (port: number) => string): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const swallowed = new WeakSet<Socket>()
  const manner: Manner = { pace: undefined, isSilent: false }
  let accepted = 0
  let awaited: { text: string; met: () => void } | undefined

  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket)
    socket.on('error', () => {}) // it was cut
    socket.once('close', () => {
      open.delete(socket)
      if (!swallowed.has(socket)) other.destroy()
    })
  }
  const server = createServer(near => {
    accepted += 1
    const upstream = connect(far)
    keep(near, upstream)
    keep(upstream, near)
    if (manner.isSilent) for (const socket of [near, upstream]) swallowed.add(socket)
    const isSwallowed = (): boolean => swallowed.has(near)
    near.on(
      'data',
      createForward(manner, isSwallowed, bytes => upstream.write(bytes)),
    )
    const send = (bytes: Buffer): void => {
      near.write(bytes, () => {
        if (awaited && bytes.includes(awaited.text)) awaited.met()
      })
    }
    upstream.on('data', createForward(manner, isSwallowed, send))
    near.on('end', () => isSwallowed() || upstream.end())
    upstream.on('end', () => isSwallowed() || near.end())
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
    swallow() {
      manner.isSilent = true
      for (const socket of open) swallowed.add(socket)
    },
    hear() {
      manner.isSilent = false
    },
    slow(pace) {
      manner.pace = pace
    },
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
