import { connect, type Socket } from 'node:net'

/**
 * One HTTP/1.1 connection that sends one ready request after the other. It reads no more than the status line and the length, so
 * that the load generator costs less than the server it measures.
 */
export interface Connection {
  /** Sends and resolves with the status when the whole answer is there. */
  send(request: Buffer): Promise<number>
  close(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')

export async function openConnection(host: string, port: number): Promise<Connection> {
  const socket: Socket = connect({ host, port, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let pending: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  let held: Buffer = Buffer.alloc(0)
  let missing = 0
  let status = 0

  function take(chunk: Buffer): void {
    if (missing > 0) {
      missing -= chunk.length
      if (missing <= 0) finish()
      return
    }
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const end = held.indexOf(HEAD_END)
    if (end < 0) return
    const head = held.toString('latin1', 0, end)
    status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    missing = Number(length ?? 0) - (held.length - end - HEAD_END.length)
    held = Buffer.alloc(0)
    if (missing <= 0) finish()
  }

  function finish(): void {
    missing = 0
    const done = pending
    pending = undefined
    done?.resolve(status)
  }

  function fail(error: Error): void {
    const done = pending
    pending = undefined
    done?.reject(error)
  }

  socket.on('data', take)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the connection was closed')))
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(request)
      })
    },
    close: () => socket.destroy(),
  }
}
