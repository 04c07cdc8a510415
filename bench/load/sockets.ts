import { serveOrders, watchCpu } from './child.ts'
import { createConnection, writeRequest } from './connection.ts'
import { createLatencies, nowMicroseconds } from './latency.ts'
import { openWebSocket, type OpenSocket } from './web_socket.ts'

/* A process that holds streaming sockets, posts statuses, and tells when each reached each socket. */

export interface SocketLoad {
  readonly url: string
  readonly stream: string
  /** Whose sockets they are, in turn. */
  readonly tokens: readonly string[]
  readonly sockets: number
  /** What counts as a message. */
  readonly event: 'update' | 'notification'
  /** Whether messages are asked for with ids, so that a socket that was cut can resume. */
  readonly withIds: boolean
}

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

/** In front of the time of posting in microseconds; a number of the post follows. */
const MARK = Buffer.from('bench-')
const ID = Buffer.from('"id":"')
const QUOTE = 34
const DASH = 45
const OPEN_AT_ONCE = 50
const LOOK_MS = 5

const delay = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
/** Timers are a millisecond late at the least; this is not. */
const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** From when to when one post came to sockets. */
interface Arrival {
  readonly number: number
  readonly firstUs: number
  lastUs: number
  sockets: number
}

class Listener {
  readonly token: string
  socket: OpenSocket | undefined
  /** The last id, for resuming. */
  lastId = ''
  /** The number of the last post. */
  last = -1

  constructor(token: string) {
    this.token = token
  }
}

function readNumber(data: Buffer, from: number): { value: number; end: number } {
  let value = 0
  let at = from
  for (; data[at] !== DASH && at < from + 20; at += 1) value = value * 10 + (data[at] ?? 48) - 48
  return { value, end: at + 1 }
}

/** The sockets of this process, and what has come to them. */
class Hall {
  load: SocketLoad | undefined
  readonly listeners: Listener[] = []
  received = 0
  twice = 0
  latencies = createLatencies()
  arrivals = new Map<number, Arrival>()
  /** That of the last message: the next is mostly of the same post. */
  #arrival: Arrival | undefined
  #event = Buffer.from('')

  async open(load: SocketLoad): Promise<void> {
    this.load = load
    this.#event = Buffer.from(`"event":"${load.event}"`)
    const made = Array.from(
      { length: load.sockets },
      (_, index) => new Listener(load.tokens[index % load.tokens.length] ?? ''),
    )
    this.listeners.push(...made)
    await this.connect(made, OPEN_AT_ONCE)
  }

  /** Opens the sockets of those, some at a time. */
  async connect(listeners: readonly Listener[], atOnce: number): Promise<void> {
    const waiting = [...listeners]
    const lane = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await this.#connectOne(next)
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  }

  async #connectOne(listener: Listener): Promise<void> {
    const { load } = this
    if (!load) throw new Error('no sockets were asked for')
    const url = new URL('/api/v1/streaming', load.url.replace(/^http/, 'ws'))
    url.searchParams.set('stream', load.stream)
    if (listener.token !== '') url.searchParams.set('access_token', listener.token)
    if (load.withIds) url.searchParams.set('last_event_id', listener.lastId)
    listener.socket = await openWebSocket(url, (data, from, to) => this.#take(listener, data, from, to))
  }

  #take(listener: Listener, data: Buffer, from: number, to: number): void {
    const event = data.indexOf(this.#event, from)
    if (event < 0 || event >= to) return
    const mark = data.indexOf(MARK, event)
    if (mark < 0 || mark >= to) return
    const posted = readNumber(data, mark + MARK.length)
    const number = readNumber(data, posted.end).value
    if (number <= listener.last) this.twice += 1
    else listener.last = number
    if (this.load?.withIds === true) listener.lastId = idIn(data, from) ?? listener.lastId
    this.received += 1
    const nowUs = nowMicroseconds()
    this.latencies.record(nowUs - posted.value)
    this.#noteArrival(number, nowUs)
  }

  #noteArrival(number: number, nowUs: number): void {
    const known = this.#arrival?.number === number ? this.#arrival : this.arrivals.get(number)
    const arrival = known ?? { number, firstUs: nowUs, lastUs: nowUs, sockets: 0 }
    if (!known) this.arrivals.set(number, arrival)
    arrival.lastUs = nowUs
    arrival.sockets += 1
    this.#arrival = arrival
  }

  /** See `SocketReport.arrivals`. */
  get firstArrivals(): [number, number][] {
    const sinceStartMs = performance.timeOrigin + performance.now() - nowMicroseconds() / 1000
    return [...this.arrivals.values()].map(({ number, firstUs }) => [number, firstUs / 1000 + sinceStartMs])
  }

  /** See `SocketReport.delivery`. */
  get delivery(): number | undefined {
    const rates = [...this.arrivals.values()]
      .filter(({ sockets, firstUs, lastUs }) => sockets > 1 && lastUs > firstUs)
      .map(({ sockets, firstUs, lastUs }) => ((sockets - 1) * 1e6) / (lastUs - firstUs))
      .sort((a, b) => a - b)
    return rates[Math.floor(rates.length / 2)]
  }

  get openSockets(): number {
    return this.listeners.reduce((sum, { socket }) => sum + (socket && !socket.ended ? 1 : 0), 0)
  }

  /** Waits until so much has come since the last report, or the time is over. */
  async settle(expected: number, waitMs: number): Promise<void> {
    const until = performance.now() + waitMs
    while (this.received < expected && performance.now() < until) await delay(LOOK_MS)
  }

  forget(): void {
    this.received = 0
    this.twice = 0
    this.latencies = createLatencies()
    this.arrivals = new Map()
    this.#arrival = undefined
  }
}

function idIn(data: Buffer, from: number): string | undefined {
  const at = data.indexOf(ID, from)
  return at < 0 ? undefined : data.toString('latin1', at + ID.length, data.indexOf(QUOTE, at + ID.length))
}

/** Posts, and keeps count of it. */
class Poster {
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

async function postAtRate(poster: Poster, ratePerSecond: number, measureMs: number): Promise<void> {
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

async function postAtOnce(poster: Poster, hall: Hall, load: PostLoad, atOnce: number): Promise<void> {
  const endsAt = performance.now() + load.measureMs
  let began = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      while (hall.received < (began - atOnce) * load.audience && performance.now() < endsAt) await nextTurn()
      began += 1
      await poster.post(numbers++, nowMicroseconds())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

async function post(hall: Hall, load: PostLoad): Promise<SocketReport> {
  hall.forget()
  const poster = new Poster(load)
  const cpu = watchCpu()
  const began = performance.now()
  const { pace } = load
  if ('atOnce' in pace) await postAtOnce(poster, hall, load, pace.atOnce)
  else await postAtRate(poster, pace.ratePerSecond, load.measureMs)
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

function reportOf(hall: Hall, seconds: number, cpu: number): SocketReport {
  const { received, twice, latencies, delivery, firstArrivals: arrivals } = hall
  const none = { posted: 0, errors: 0, lost: 0, answers: createLatencies().encode() }
  return { received, twice, latencies: latencies.encode(), delivery, arrivals, ...none, seconds, cpu }
}

/** Counts what comes while somebody else posts. */
async function count(hall: Hall, ms: number): Promise<SocketReport> {
  hall.forget()
  const cpu = watchCpu()
  await delay(ms)
  const report = reportOf(hall, ms / 1000, cpu())
  hall.forget()
  return report
}

const hall = new Hall()

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
