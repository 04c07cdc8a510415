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

/** `take` tells what came since the last `take`, and begins to count anew; `finish` closes the sockets as well. */
export type SocketOrder = { open: SocketLoad } | { expect: number; waitMs: number } | { take: true } | { finish: true }
export type SocketAnswer = { opened: number } | { arrived: number } | { report: SocketReport }

/** The mark that the poster leaves in a status: the time of posting in microseconds of the machine's monotonic clock. */
const MARK = Buffer.from('bench-')
const UPDATE = Buffer.from('"event":"update"')
const OPEN_AT_ONCE = 50

export const nowMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n)

/** The report that an order was answered with. */
export function reportOf(answer: SocketAnswer): SocketReport {
  if (!('report' in answer)) throw new Error('the socket holder gave no report')
  return answer.report
}

function holder() {
  const open: WebSocket[] = []
  let recorded = histogram()
  let received = 0
  let cpuBefore = process.cpuUsage()
  let waiting: { target: number; done: () => void } | undefined

  function take(data: WebSocket.RawData): void {
    const at = Buffer.isBuffer(data) && data.includes(UPDATE) ? data.indexOf(MARK) : -1
    if (at < 0 || !Buffer.isBuffer(data)) return
    const from = at + MARK.length
    const mark = Number(data.toString('latin1', from, data.indexOf('-', from)))
    received += 1
    recorded.recordValue(Math.max(1, nowMicroseconds() - mark))
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

  function takeReport(): SocketAnswer {
    const used = process.cpuUsage(cpuBefore)
    const report = { received, latency: latencyOf(recorded), cpuSeconds: (used.user + used.system) / 1e6 }
    recorded = histogram()
    received = 0
    cpuBefore = process.cpuUsage()
    return { report }
  }

  return {
    take: takeReport,
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
      return takeReport()
    },
  }
}

async function answerTo(sockets: ReturnType<typeof holder>, order: SocketOrder): Promise<SocketAnswer> {
  if ('open' in order) return sockets.open(order.open)
  if ('expect' in order) return sockets.expect(order.expect, order.waitMs)
  return 'take' in order ? sockets.take() : sockets.finish()
}

if (process.send) {
  const sockets = holder()
  process.on('message', (order: SocketOrder) => {
    answerTo(sockets, order).then(
      answer => process.send?.(answer, () => 'finish' in order && process.disconnect()),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  })
}
