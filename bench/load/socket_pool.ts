import { setTimeout as delay } from 'node:timers/promises'
import { createLatencies, nowMicroseconds } from './latency.ts'
import { openWebSocket, type OpenSocket } from './web_socket.ts'

export interface SocketLoad {
  readonly url: string
  readonly stream: string
  /** The tokens of the sockets' users, in turn. */
  readonly tokens: readonly string[]
  readonly sockets: number
  /** The event that counts as a message. */
  readonly event: 'update' | 'notification'
  /** Whether messages have ids, so that a disconnected socket can resume. */
  readonly withIds: boolean
  /**
   * Whether a socket that the server has ended is opened again, as clients do. Messages may then be
   * out of order: posts overtake each other.
   */
  readonly resumes?: boolean
}

/** Before a client opens a connection again. */
const AGAIN_MS = 100

/** Precedes the time of posting in microseconds; the number of the post follows. */
const MARK = Buffer.from('bench-')
const ID = Buffer.from('"id":"')
const QUOTE = 34
const DASH = 45
const OPEN_AT_ONCE = 50

/** When one post reached the first and the last socket. */
interface Arrival {
  readonly number: number
  readonly firstUs: number
  lastUs: number
  sockets: number
}

interface Waiter {
  readonly expected: number
  readonly timer: NodeJS.Timeout
  resolve(): void
}

class Listener {
  readonly token: string
  socket: OpenSocket | undefined
  /** The last id, for resuming. */
  lastId = ''
  /** The number of the last post. */
  last = -1
  /** The numbers of all posts, where they may be out of order. */
  readonly seen = new Set<number>()

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

/** The sockets of this process, and the messages that they received. */
export class SocketPool {
  load: SocketLoad | undefined
  readonly listeners: Listener[] = []
  received = 0
  twice = 0
  latencies = createLatencies()
  arrivals = new Map<number, Arrival>()
  /** That of the last message: the next message is usually the same post. */
  #arrival: Arrival | undefined
  #event = Buffer.from('')
  readonly #waiters = new Set<Waiter>()
  #nextExpected = Infinity

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

  /** Opens the sockets, some at a time. */
  async connect(listeners: readonly Listener[], atOnce: number): Promise<void> {
    const waiting = [...listeners]
    const lane = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await this.#connectOne(next)
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  }

  async #connectOne(listener: Listener): Promise<void> {
    const { load } = this
    if (!load) throw new Error('the number of sockets is 0')
    const url = new URL('/api/v1/streaming', load.url.replace(/^http/, 'ws'))
    url.searchParams.set('stream', load.stream)
    if (listener.token !== '') url.searchParams.set('access_token', listener.token)
    if (load.withIds) url.searchParams.set('last_event_id', listener.lastId)
    const take = (data: Buffer, from: number, to: number): void => this.#take(listener, data, from, to)
    const again = (): void => void this.#resume(listener)
    listener.socket = await openWebSocket(url, take, load.resumes === true ? again : undefined)
  }

  async #resume(listener: Listener): Promise<void> {
    let isOpen = false
    while (!isOpen) {
      await delay(AGAIN_MS)
      isOpen = await this.#connectOne(listener).then(
        () => true,
        () => false,
      )
    }
  }

  #isRepeated(listener: Listener, number: number): boolean {
    if (this.load?.resumes === true) return listener.seen.size === listener.seen.add(number).size
    if (number <= listener.last) return true
    listener.last = number
    return false
  }

  #take(listener: Listener, data: Buffer, from: number, to: number): void {
    const event = data.indexOf(this.#event, from)
    if (event < 0 || event >= to) return
    const mark = data.indexOf(MARK, event)
    if (mark < 0 || mark >= to) return
    const posted = readNumber(data, mark + MARK.length)
    const number = readNumber(data, posted.end).value
    if (this.#isRepeated(listener, number)) this.twice += 1
    if (this.load?.withIds === true) listener.lastId = idIn(data, from) ?? listener.lastId
    this.received += 1
    const nowUs = nowMicroseconds()
    this.latencies.record(nowUs - posted.value)
    this.#noteArrival(number, nowUs)
    if (this.received >= this.#nextExpected) this.#wake()
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

  /**
   * Waits until the expected number of messages has arrived since the last report, or for the given
   * time.
   */
  settle(expected: number, waitMs: number): Promise<void> {
    if (this.received >= expected || waitMs <= 0) return Promise.resolve()
    return new Promise(resolve => {
      const waiter = { expected, timer: setTimeout(() => this.#end(waiter), waitMs), resolve }
      this.#waiters.add(waiter)
      this.#nextExpected = Math.min(this.#nextExpected, expected)
    })
  }

  #end(waiter: Waiter): void {
    clearTimeout(waiter.timer)
    this.#waiters.delete(waiter)
    waiter.resolve()
  }

  /** Resolves the waits whose number of messages has arrived. */
  #wake(): void {
    for (const waiter of this.#waiters) if (waiter.expected <= this.received) this.#end(waiter)
    this.#nextExpected = Math.min(Infinity, ...[...this.#waiters].map(({ expected }) => expected))
  }

  reset(): void {
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
