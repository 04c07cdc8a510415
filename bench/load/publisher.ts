import { setTimeout as delay } from 'node:timers/promises'
import { createConnection, writeRequest } from './connection.ts'
import type { SocketPool } from './socket_pool.ts'
import { createLatencies, nowMicroseconds } from './latency.ts'

export interface PostLoad {
  readonly url: string
  readonly token: string
  /** Texts with MARK in place of the time of posting. One is chosen at random for each post. */
  readonly texts: readonly string[]
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct'
  readonly measureMs: number
  /**
   * `rate`: a fixed number per second (an open loop). `atOnce`: the next when the oldest of so many
   * posts has reached every socket.
   */
  readonly pace: { readonly ratePerSecond: number } | { readonly atOnce: number }
  /** The number of sockets that receive each post. */
  readonly audience: number
  /** How long to wait at the end for missing messages. */
  readonly waitMs: number
}

/** The server closes idle connections after ten seconds; clients of HTTP give them up before. */
const IDLE_MS = 5_000
const MAX_FAILURES = 5

/** Publishes and counts posts. */
export class Publisher {
  posted = 0
  errors = 0
  /** The first failures, for the report. */
  readonly failures: string[] = []
  readonly answers = createLatencies()
  readonly #load: PostLoad
  readonly #url: URL
  readonly #idle: { readonly connection: ReturnType<typeof createConnection>; readonly sinceMs: number }[] = []

  constructor(load: PostLoad) {
    this.#load = load
    this.#url = new URL(load.url)
  }

  /** Publishes one post, on an idle connection or a new one. @param dueUs when it was due */
  async post(number: number, dueUs: number): Promise<void> {
    const { texts, visibility, token } = this.#load
    const text = texts[Math.floor(Math.random() * texts.length)] ?? 'MARK'
    const status = text.replace('MARK', `bench-${dueUs}-${number}-`)
    const body = JSON.stringify({ status, visibility, language: 'en' })
    const request = writeRequest(this.#url, { method: 'POST', path: '/api/v1/statuses', token, body })
    const connection = this.#takeIdle() ?? createConnection(this.#url)
    try {
      const { status: answered } = await connection.send(request)
      if (answered === 200) this.posted += 1
      else this.#failed(`a post is answered ${answered}`)
      this.answers.record(nowMicroseconds() - dueUs)
    } catch (error) {
      this.#failed(`a post failed: ${String(error)}`)
    }
    this.#idle.push({ connection, sinceMs: performance.now() })
  }

  /** The connection that was used last, unless it has been idle for too long. */
  #takeIdle(): ReturnType<typeof createConnection> | undefined {
    const last = this.#idle.pop()
    if (!last || performance.now() - last.sinceMs < IDLE_MS) return last?.connection
    // Those below have been idle for longer.
    for (const { connection } of [last, ...this.#idle.splice(0)]) connection.close()
    return undefined
  }

  #failed(why: string): void {
    this.errors += 1
    if (this.failures.length < MAX_FAILURES) this.failures.push(why)
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close()
  }
}

/** Numbers continue across orders, so that a late message is not taken for a duplicate. */
let numbers = 0

async function postAtRate(publisher: Publisher, ratePerSecond: number, measureMs: number): Promise<void> {
  const beganUs = nowMicroseconds()
  const total = Math.floor((measureMs / 1000) * ratePerSecond)
  const underWay: Promise<void>[] = []
  for (let count = 0; count < total; count += 1) {
    const dueUs = beganUs + Math.round((count * 1e6) / ratePerSecond)
    const waitMs = (dueUs - nowMicroseconds()) / 1000
    if (waitMs > 0) await delay(waitMs)
    // From the time of sending: a late timer is this process's fault. A busy process is reported by
    // its CPU use.
    underWay.push(publisher.post(numbers++, waitMs > 0 ? nowMicroseconds() : dueUs))
  }
  await Promise.all(underWay)
}

async function postAtOnce(publisher: Publisher, pool: SocketPool, load: PostLoad, atOnce: number): Promise<void> {
  const endsAt = performance.now() + load.measureMs
  let began = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      await pool.settle((began - atOnce) * load.audience, endsAt - performance.now())
      if (performance.now() >= endsAt) return
      began += 1
      await publisher.post(numbers++, nowMicroseconds())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Publishes the posts of the load. @param pool the sockets that receive them */
export async function postAll(publisher: Publisher, pool: SocketPool, load: PostLoad): Promise<void> {
  const { pace } = load
  if ('atOnce' in pace) await postAtOnce(publisher, pool, load, pace.atOnce)
  else await postAtRate(publisher, pace.ratePerSecond, load.measureMs)
}
