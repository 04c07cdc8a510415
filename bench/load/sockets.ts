import { setTimeout as delay } from 'node:timers/promises'
import { serveOrders, watchCpu } from './child.ts'
import { SocketPool, type SocketLoad } from './socket_pool.ts'
import { createLatencies } from './latency.ts'
import { postAll, Publisher, type PostLoad } from './publisher.ts'

/* A process that holds streaming sockets, posts statuses, and tells when each reached each socket. */

export interface SocketReport {
  /** Since the last report. */
  readonly received: number
  /** Messages that came to a socket a second time, or out of order; counted only where one post waits for the other. */
  readonly twice: number
  /** From posting to each socket, encoded. */
  readonly latencies: string
  readonly posted: number
  readonly errors: number
  /** Messages that should have come and did not. */
  readonly lost: number
  /** From posting to the answer, encoded. */
  readonly answers: string
  /** Of the middle one of the posts: messages a second from its first socket to its last; undefined where that says nothing. */
  readonly delivery: number | undefined
  /** When each post came to the first of its sockets: its number, and milliseconds since 1970 to the microsecond. */
  readonly arrivals: readonly (readonly [number, number])[]
  /** How long posting and hearing took. */
  readonly seconds: number
  readonly cpu: number
}

export type SocketOrder =
  | { readonly open: SocketLoad }
  | { readonly post: PostLoad }
  | { readonly count: { readonly ms: number } }
  | { readonly cut: true }
  | { readonly resume: { readonly atOnce: number } }
  | { readonly settle: { readonly expected: number; readonly waitMs: number } }
export interface SocketAnswer {
  readonly open: number
  /** How long it took. */
  readonly seconds: number
  readonly report?: SocketReport
}

async function post(hall: SocketPool, load: PostLoad): Promise<SocketReport> {
  hall.forget()
  const poster = new Publisher(load)
  const cpu = watchCpu()
  const began = performance.now()
  await postAll(poster, hall, load)
  await hall.settle(poster.posted * load.audience, load.waitMs)
  const report = {
    ...reportOf(hall, (performance.now() - began) / 1000, cpu()),
    posted: poster.posted,
    errors: poster.errors,
    lost: poster.posted * load.audience - hall.received,
    answers: poster.answers.encode(),
  }
  poster.close()
  hall.forget()
  return report
}

function reportOf(hall: SocketPool, seconds: number, cpu: number): SocketReport {
  const { received, twice, latencies, delivery, firstArrivals: arrivals } = hall
  const none = { posted: 0, errors: 0, lost: 0, answers: createLatencies().encode() }
  return { received, twice, latencies: latencies.encode(), delivery, arrivals, ...none, seconds, cpu }
}

/** Counts what comes while somebody else posts. */
async function count(hall: SocketPool, ms: number): Promise<SocketReport> {
  hall.forget()
  const cpu = watchCpu()
  await delay(ms)
  const report = reportOf(hall, ms / 1000, cpu())
  hall.forget()
  return report
}

const hall = new SocketPool()

async function answerTo(order: SocketOrder): Promise<SocketAnswer> {
  const began = performance.now()
  const cpu = watchCpu()
  const seconds = (): number => (performance.now() - began) / 1000
  if ('open' in order) await hall.open(order.open)
  else if ('post' in order) return { report: await post(hall, order.post), open: hall.openSockets, seconds: seconds() }
  else if ('count' in order)
    return { report: await count(hall, order.count.ms), open: hall.openSockets, seconds: seconds() }
  else if ('cut' in order) for (const { socket } of hall.listeners) socket?.cut()
  else if ('resume' in order) await hall.connect(hall.listeners, order.resume.atOnce)
  else {
    await hall.settle(order.settle.expected, order.settle.waitMs)
    return { report: reportOf(hall, seconds(), cpu()), open: hall.openSockets, seconds: seconds() }
  }
  return { open: hall.openSockets, seconds: seconds() }
}

if (process.send) serveOrders(answerTo)
