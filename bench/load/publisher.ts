import { setTimeout as delay } from 'node:timers/promises'
import { createConnection, writeRequest } from './connection.ts'
import type { SocketPool } from './socket_pool.ts'
import { createLatencies, nowMicroseconds } from './latency.ts'

export interface PostLoad {
  readonly url: string
  readonly token: string
  /** With MARK where the time of posting goes. One is taken at random for each post. */
  readonly texts: readonly string[]
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct'
  readonly measureMs: number
  /** `rate`: so many a second, whatever happens (an open loop). `atOnce`: the next when the oldest of so many has reached every socket. */
  readonly pace: { readonly ratePerSecond: number } | { readonly atOnce: number }
  /** How many sockets hear of each post. */
  readonly audience: number
  /** How long to wait at the end for what is still owed. */
  readonly waitMs: number
}

/** Posts, and keeps count of it. */
export class Publisher {
  posted = 0
  errors = 0
  readonly answers = createLatencies()
  readonly #load: PostLoad
  readonly #url: URL
  readonly #idle: ReturnType<typeof createConnection>[] = []

  constructor(load: PostLoad) {
    this.#load = load
    this.#url = new URL(load.url)
  }

  /** Posts once, on a connection that has nothing to do or a new one. @param dueUs when it was to be posted */
  async post(number: number, dueUs: number): Promise<void> {
    const { texts, visibility, token } = this.#load
    const text = texts[Math.floor(Math.random() * texts.length)] ?? 'MARK'
    const status = text.replace('MARK', `bench-${dueUs}-${number}-`)
    const body = JSON.stringify({ status, visibility, language: 'en' })
    const request = writeRequest(this.#url, { method: 'POST', path: '/api/v1/statuses', token, body })
    const connection = this.#idle.pop() ?? createConnection(this.#url)
    try {
      const { status: answered } = await connection.send(request)
      if (answered === 200) this.posted += 1
      else this.errors += 1
      this.answers.record(nowMicroseconds() - dueUs)
    } catch {
      this.errors += 1
    }
    this.#idle.push(connection)
  }

  close(): void {
    for (const connection of this.#idle) connection.close()
  }
}

/** Numbers go on from one order to the next, so that what comes late is not taken for what comes twice. */
let numbers = 0

async function postAtRate(poster: Publisher, ratePerSecond: number, measureMs: number): Promise<void> {
  const beganUs = nowMicroseconds()
  const total = Math.floor((measureMs / 1000) * ratePerSecond)
  const underWay: Promise<void>[] = []
  for (let count = 0; count < total; count += 1) {
    const dueUs = beganUs + Math.round((count * 1e6) / ratePerSecond)
    const waitMs = (dueUs - nowMicroseconds()) / 1000
    if (waitMs > 0) await delay(waitMs)
    // From when it is sent: a timer that is late is this process's fault. A process that is busy warns by its CPU.
    underWay.push(poster.post(numbers++, waitMs > 0 ? nowMicroseconds() : dueUs))
  }
  await Promise.all(underWay)
}

async function postAtOnce(poster: Publisher, hall: SocketPool, load: PostLoad, atOnce: number): Promise<void> {
  const endsAt = performance.now() + load.measureMs
  let began = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      await hall.settle((began - atOnce) * load.audience, endsAt - performance.now())
      if (performance.now() >= endsAt) return
      began += 1
      await poster.post(numbers++, nowMicroseconds())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Posts as the load says. @param hall where the posts are heard */
export async function postAll(poster: Publisher, hall: SocketPool, load: PostLoad): Promise<void> {
  const { pace } = load
  if ('atOnce' in pace) await postAtOnce(poster, hall, load, pace.atOnce)
  else await postAtRate(poster, pace.ratePerSecond, load.measureMs)
}
