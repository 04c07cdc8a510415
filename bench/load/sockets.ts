import { setTimeout as delay } from 'node:timers/promises'
import { serveOrders, watchCpu } from './child.ts'
import { SocketPool, type SocketLoad } from './socket_pool.ts'
import { createLatencies } from './latency.ts'
import { postAll, Publisher, type PostLoad } from './publisher.ts'

/**
 * A process that holds streaming sockets, publishes statuses, and measures when each reaches each
 * socket.
 */

export interface SocketReport {
  /** Since the last report. */
  readonly received: number
  /**
   * Messages received twice or out of order; counted only where each post waits for the previous
   * one.
   */
  readonly twice: number
  /** From posting to each socket, encoded. */
  readonly latencies: string
  readonly posted: number
  readonly errors: number
  /** The first of them. */
  readonly failures: readonly string[]
  /** Missing messages. */
  readonly lost: number
  /** From posting to the response, encoded. */
  readonly answers: string
  /**
   * The median of the posts: messages per second from its first socket to its last; undefined where
   * that has no meaning.
   */
  readonly delivery: number | undefined
  /**
   * When each post reached its first socket: its number, and milliseconds since 1970 with
   * microseconds.
   */
  readonly arrivals: readonly (readonly [number, number])[]
  /** The duration of posting and receiving. */
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
  /** The duration. */
  readonly seconds: number
  readonly report?: SocketReport
}

async function post(pool: SocketPool, load: PostLoad): Promise<SocketReport> {
  pool.reset()
  const publisher = new Publisher(load)
  const cpu = watchCpu()
  const began = performance.now()
  await postAll(publisher, pool, load)
  await pool.settle(publisher.posted * load.audience, load.waitMs)
  const report = {
    ...reportOf(pool, (performance.now() - began) / 1000, cpu()),
    posted: publisher.posted,
    errors: publisher.errors,
    failures: publisher.failures,
    lost: publisher.posted * load.audience - pool.received,
    answers: publisher.answers.encode(),
  }
  publisher.close()
  pool.reset()
  return report
}

function reportOf(pool: SocketPool, seconds: number, cpu: number): SocketReport {
  const { received, twice, latencies, delivery, firstArrivals: arrivals } = pool
  const none = { posted: 0, errors: 0, failures: [], lost: 0, answers: createLatencies().encode() }
  return { received, twice, latencies: latencies.encode(), delivery, arrivals, ...none, seconds, cpu }
}

/** Counts messages while another process posts. */
async function count(pool: SocketPool, ms: number): Promise<SocketReport> {
  pool.reset()
  const cpu = watchCpu()
  await delay(ms)
  const report = reportOf(pool, ms / 1000, cpu())
  pool.reset()
  return report
}

const pool = new SocketPool()

async function answerTo(order: SocketOrder): Promise<SocketAnswer> {
  const began = performance.now()
  const cpu = watchCpu()
  const seconds = (): number => (performance.now() - began) / 1000
  if ('open' in order) await pool.open(order.open)
  else if ('post' in order) return { report: await post(pool, order.post), open: pool.openSockets, seconds: seconds() }
  else if ('count' in order)
    return { report: await count(pool, order.count.ms), open: pool.openSockets, seconds: seconds() }
  else if ('cut' in order) for (const { socket } of pool.listeners) socket?.cut()
  else if ('resume' in order) await pool.connect(pool.listeners, order.resume.atOnce)
  else {
    await pool.settle(order.settle.expected, order.settle.waitMs)
    return { report: reportOf(pool, seconds(), cpu()), open: pool.openSockets, seconds: seconds() }
  }
  return { open: pool.openSockets, seconds: seconds() }
}

if (process.send) serveOrders(answerTo)
