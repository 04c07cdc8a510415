import { setTimeout as delay } from 'node:timers/promises'
import { createLatencies, nowMicroseconds } from './latency.ts'
import { openWebSocket, type OpenSocket } from './web_socket.ts'

/** The stream of one visit. */
export interface DayStream {
  readonly person: number
  readonly token: string
  openedUs: number
  /** The numbers of posts that arrived, and of those that must. */
  readonly seen: Set<number>
  readonly due: Set<number>
  socket: OpenSocket | undefined
  /** The last id, for resuming. */
  lastId: string
  /** No more posts become due. */
  closing: boolean
  closed: boolean
}

/** How long a visit waits at its end for posts that were acknowledged before. */
const WAIT_MS = 15_000
const LOOK_MS = 20
/** Before a client opens a stream again that the server has ended. */
const AGAIN_MS = 100

/** Precedes the time when a post was due, in microseconds; its number follows. */
const MARK = /bench-(\d+)-(\d+)-/
const EVENT = Buffer.from('"event":"update"')
const MARK_START = Buffer.from('bench-')
const MARK_BYTES = 60
const ID = Buffer.from('"id":"')
const QUOTE = '"'

export const markOf = (dueUs: number, number: number): string => `bench-${dueUs}-${number}-`

/** The streams of those who are there: each must receive each post of a followed person once. */
export class DayStreams {
  received = 0
  lost = 0
  twice = 0
  /** How often the server ended a stream, which then resumed. */
  ended = 0
  readonly latencies = createLatencies()
  readonly #url: URL
  readonly #followers: readonly (readonly number[])[]
  readonly #waitMs: number
  readonly #open = new Map<number, Set<DayStream>>()

  /** @param followers of each person, the person included */
  constructor(url: string, followers: readonly (readonly number[])[], waitMs = WAIT_MS) {
    this.#url = new URL('/api/v1/streaming', url.replace(/^http/, 'ws'))
    this.#followers = followers
    this.#waitMs = waitMs
  }

  /** @throws Error if the server refuses it */
  async open(person: number, token: string): Promise<DayStream> {
    const stream: DayStream = {
      person,
      token,
      openedUs: 0,
      seen: new Set(),
      due: new Set(),
      socket: undefined,
      lastId: '',
      closing: false,
      closed: false,
    }
    await this.#connect(stream)
    stream.openedUs = nowMicroseconds()
    const others = this.#open.get(person)
    if (others) others.add(stream)
    else this.#open.set(person, new Set([stream]))
    return stream
  }

  /** A post was acknowledged: streams that were open before it was sent must receive it. */
  expect(number: number, author: number, sentUs: number): void {
    for (const person of this.#followers[author] ?? [])
      for (const stream of this.#open.get(person) ?? [])
        if (!stream.closing && stream.openedUs < sentUs) stream.due.add(number)
  }

  /** Ends a stream when everything that is due has arrived; what has not after a time is lost. */
  async close(stream: DayStream): Promise<void> {
    stream.closing = true
    const missing = (): number => [...stream.due].filter(number => !stream.seen.has(number)).length
    const until = performance.now() + this.#waitMs
    while (missing() > 0 && performance.now() < until) await delay(LOOK_MS)
    this.lost += missing()
    stream.closed = true
    stream.socket?.cut()
    this.#open.get(stream.person)?.delete(stream)
  }

  async #connect(stream: DayStream): Promise<void> {
    const url = new URL(this.#url)
    url.searchParams.set('stream', 'user')
    url.searchParams.set('access_token', stream.token)
    url.searchParams.set('last_event_id', stream.lastId)
    const take = (data: Buffer, from: number, to: number): void => this.#take(stream, data.subarray(from, to))
    stream.socket = await openWebSocket(url, take, () => void this.#resume(stream))
  }

  async #resume(stream: DayStream): Promise<void> {
    if (stream.closed) return
    this.ended += 1
    for (let isOpen = false; !isOpen && !stream.closed;) {
      await delay(AGAIN_MS)
      isOpen = await this.#connect(stream).then(
        () => true,
        () => false,
      )
    }
    if (stream.closed) stream.socket?.cut()
  }

  #take(stream: DayStream, text: Buffer): void {
    const id = text.indexOf(ID)
    if (id >= 0) stream.lastId = text.toString('latin1', id + ID.length, text.indexOf(QUOTE, id + ID.length))
    const event = text.indexOf(EVENT)
    const mark = event < 0 ? -1 : text.indexOf(MARK_START, event)
    if (mark < 0) return
    const [, due, number] = MARK.exec(text.toString('latin1', mark, mark + MARK_BYTES)) ?? []
    if (due === undefined) return
    const { seen } = stream
    this.received += 1
    if (seen.size === seen.add(Number(number)).size) this.twice += 1
    this.latencies.record(nowMicroseconds() - Number(due))
  }
}
