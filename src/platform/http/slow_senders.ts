import type { Reservation } from './body_memory.ts'

/** Often enough for a connection that uWebSockets.js closes after 8 to 12 seconds. */
const CHECK_MS = 3000
/** A sender that has sent nothing for this long is disconnected. */
const MAX_SILENCE_MS = 60_000
/** A body that takes longer is received no slower than uWebSockets.js allows. */
const MAX_DURATION_MS = 3_600_000
/** What slow senders may hold: in all, and those of one address. */
const TOTAL = { bodies: 1000, memoryBytes: 32 * 1024 * 1024 }
const OF_ADDRESS = { bodies: 32, memoryBytes: 8 * 1024 * 1024 }

/** The part of a Reply that is needed here. */
interface Connection {
  readonly aborted: boolean
  readonly response: { pause(): unknown; resume(): unknown }
}

/** A body on its way. Reading it is paused and resumed here only. */
export interface Arrival {
  pause(): void
  resume(): void
  /** Some of the body has come. */
  progress(): void
  /** The body is whole, or no longer needed. */
  end(): void
}

/**
 * Keeps connections open whose bodies come slowly. uWebSockets.js disconnects senders that send
 * less than 160 KB in ten seconds, which uploads of telephones do. Pausing and resuming a
 * connection gives it ten more seconds. The oldest bodies get them as long as they keep coming, and
 * the bounds allow: others must be as fast as uWebSockets.js wants.
 */
export interface SlowSenders {
  /**
   * Call it before the first await of the handler.
   * @param address the key under which senders are counted
   * @param memory holds what the body takes in memory
   */
  watch(reply: Connection, address: string, memory: Reservation): Arrival
  /** To be called every `checkMs`, with the time of `performance.now()`. */
  check(nowMs: number): void
  readonly checkMs: number
}

interface Watched {
  readonly reply: Connection
  readonly address: string
  readonly memory: Reservation
  readonly begunMs: number
  isPaused: boolean
  hasProgressed: boolean
  lastMs: number
}

interface Held {
  bodies: number
  memoryBytes: number
}

export function createSlowSenders(): SlowSenders {
  /** In the order of their arrival. */
  const open = new Set<Watched>()

  return {
    checkMs: CHECK_MS,
    watch(reply, address, memory) {
      const nowMs = performance.now()
      const body = { reply, address, memory, begunMs: nowMs, isPaused: false, hasProgressed: false, lastMs: nowMs }
      open.add(body)
      return {
        pause() {
          if (!body.isPaused && !reply.aborted) reply.response.pause()
          body.isPaused = true
        },
        resume() {
          if (body.isPaused && !reply.aborted) reply.response.resume()
          body.isPaused = false
        },
        progress() {
          body.hasProgressed = true
        },
        end: () => void open.delete(body),
      }
    },
    check(nowMs) {
      const total: Held = { bodies: 0, memoryBytes: 0 }
      const addresses = new Map<string, Held>()
      for (const body of open) {
        if (body.reply.aborted) open.delete(body)
        else if (body.begunMs > nowMs - CHECK_MS) return
        else if (mayContinue(body, nowMs) && fits(body, total, addresses)) giveTime(body)
      }
    },
  }
}

/** Whether the body keeps coming. While reading is paused, its sender is not the one who waits. */
function mayContinue(body: Watched, nowMs: number): boolean {
  if (body.hasProgressed || body.isPaused) body.lastMs = nowMs
  body.hasProgressed = false
  return body.lastMs > nowMs - MAX_SILENCE_MS && body.begunMs > nowMs - MAX_DURATION_MS
}

/** Counts the body, if that exceeds no bound. */
function fits(body: Watched, total: Held, addresses: Map<string, Held>): boolean {
  const own = addresses.get(body.address) ?? { bodies: 0, memoryBytes: 0 }
  addresses.set(body.address, own)
  const { sizeBytes } = body.memory
  if (isFull(total, sizeBytes, TOTAL) || isFull(own, sizeBytes, OF_ADDRESS)) return false
  for (const held of [total, own]) {
    held.bodies += 1
    held.memoryBytes += sizeBytes
  }
  return true
}

const isFull = (held: Held, sizeBytes: number, limit: Held): boolean =>
  held.bodies >= limit.bodies || held.memoryBytes + sizeBytes > limit.memoryBytes

function giveTime({ reply: { response }, isPaused }: Watched): void {
  response.pause()
  if (!isPaused) response.resume()
}
