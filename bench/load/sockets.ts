import { WebSocket } from 'ws'
import { histogram, latencyOf } from '../latency.ts'
import type { Latency } from '../report.ts'

/* A process that holds streaming sockets and tells when what arrives arrived. */

export interface SocketLoad {
  url: string
  stream: string
  tokens: readonly string[]
  sockets: number
}

export interface SocketReport {
  received: number
  latency: Latency
  cpuSeconds: number
}

export type SocketOrder = { open: SocketLoad } | { expect: number; waitMs: number } | { finish: true }
export type SocketAnswer = { opened: number } | { arrived: number } | { report: SocketReport }

/** The mark that the poster leaves in a status: the time of posting in microseconds of the machine's monotonic clock. */
const MARK = /bench-(\d+)-/
const OPEN_AT_ONCE = 50

export const nowMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n)

function holder() {
  const open: WebSocket[] = []
  const recorded = histogram()
  let received = 0
  let waiting: { target: number; done: () => void } | undefined

  function take(data: WebSocket.RawData): void {
    const text = Buffer.isBuffer(data) ? data.toString() : ''
    if (!text.includes('"event":"update"')) return
    const mark = MARK.exec(text)?.[1]
    if (mark === undefined) return
    received += 1
    recorded.recordValue(Math.max(1, nowMicroseconds() - Number(mark)))
    if (waiting && received >= waiting.target) waiting.done()
  }

  async function openOne(load: SocketLoad, index: number): Promise<void> {
    const url = new URL('/api/v1/streaming', load.url.replace(/^http/, 'ws'))
    url.searchParams.set('stream', load.stream)
    url.searchParams.set('access_token', load.tokens[index % load.tokens.length] ?? '')
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.on('message', take)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    open.push(socket)
  }

  return {
    async open(load: SocketLoad): Promise<SocketAnswer> {
      for (let from = 0; from < load.sockets; from += OPEN_AT_ONCE) {
        const batch = Math.min(OPEN_AT_ONCE, load.sockets - from)
        await Promise.all(Array.from({ length: batch }, (_, index) => openOne(load, from + index)))
      }
      return { opened: open.length }
    },
    /** Waits until so many messages have come in all, or the time is over. */
    async expect(target: number, waitMs: number): Promise<SocketAnswer> {
      if (received < target) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, waitMs)
          waiting = {
            target,
            done() {
              clearTimeout(timer)
              resolve()
            },
          }
        })
        waiting = undefined
      }
      return { arrived: received }
    },
    finish(): SocketAnswer {
      for (const socket of open) socket.terminate()
      const used = process.cpuUsage()
      return { report: { received, latency: latencyOf(recorded), cpuSeconds: (used.user + used.system) / 1e6 } }
    },
  }
}

if (process.send) {
  const sockets = holder()
  process.on('message', (order: SocketOrder) => {
    const answered =
      'open' in order
        ? sockets.open(order.open)
        : 'expect' in order
          ? sockets.expect(order.expect, order.waitMs)
          : Promise.resolve(sockets.finish())
    answered.then(
      answer => process.send?.(answer, () => 'finish' in order && process.disconnect()),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  })
}
