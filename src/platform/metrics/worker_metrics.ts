import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** What a server process has counted, as prom-client tells it to other processes. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

/**
 * What processes say to each other, all of it through their parent: one asks for the counts (`gather`), the parent asks each (`read`), each
 * answers (`told`), and the one that asked gets all of them (`gathered`).
 */
type Message =
  | { readonly metrics: 'gather' | 'read'; readonly round: number }
  | { readonly metrics: 'told'; readonly round: number; readonly snapshot: Snapshot }
  | { readonly metrics: 'gathered'; readonly round: number; readonly snapshots: Snapshot[] }

type Send = (message: object) => void

/** Both ends are this program's own, so that the name of the message is enough to know it by. */
const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message

/** The server processes that share a port with this one, seen from it. */
export interface WorkerMetrics {
  /** The counts of all of them, and of this process; without those that do not answer. */
  gather(): Promise<Snapshot[]>
  /** Has the counts of this process read so. */
  answerWith(read: () => Promise<Snapshot>): void
  /** Takes a message of the parent. @returns false when it is about something else */
  hear(message: unknown): boolean
}

/** @param send to the parent, whose part is an `Exchange` */
export function createWorkerMetrics(send: Send): WorkerMetrics {
  const asked = new Map<number, (snapshots: Snapshot[]) => void>()
  let rounds = 0
  let readOwn = (): Promise<Snapshot> => Promise.resolve([])

  async function tell(round: number): Promise<void> {
    // Counts that cannot be read are left out.
    const snapshot = await readOwn().catch((): Snapshot => [])
    send({ metrics: 'told', round, snapshot } satisfies Message)
  }

  return {
    gather() {
      rounds += 1
      const round = rounds
      return new Promise(resolve => {
        asked.set(round, resolve)
        send({ metrics: 'gather', round } satisfies Message)
      })
    },
    answerWith(read) {
      readOwn = read
    },
    hear(message) {
      if (!isMessage(message)) return false
      if (message.metrics === 'read') void tell(message.round)
      if (message.metrics === 'gathered') {
        asked.get(message.round)?.(message.snapshots)
        asked.delete(message.round)
      }
      return true
    },
  }
}

/** The parent's part. */
export interface Aggregator {
  /** Takes a message of a process. @returns false when it is about something else */
  hear(from: Send, message: unknown): boolean
}

/** A process that has not answered by then is left out: it has ended, or is too busy. */
const WAIT_MS = 2_000

/**
 * @param processes how to send to each of them
 * @param readOwn what the parent itself has counted
 */
export function createAggregator(
  processes: () => readonly Send[],
  readOwn: () => Promise<Snapshot> = () => Promise.resolve([]),
): Aggregator {
  const open = new Map<number, { snapshots: Snapshot[]; due: number; finish: () => void }>()
  let rounds = 0

  async function gather(from: Send, asked: number): Promise<void> {
    rounds += 1
    const round = rounds
    const snapshots = [await readOwn()]
    const all = processes()
    const due = all.length + snapshots.length
    const finish = (): void => {
      clearTimeout(timer)
      if (open.delete(round)) from({ metrics: 'gathered', round: asked, snapshots } satisfies Message)
    }
    const timer = setTimeout(finish, WAIT_MS)
    open.set(round, { snapshots, due, finish })
    for (const send of all) send({ metrics: 'read', round } satisfies Message)
  }

  return {
    hear(from, message) {
      if (!isMessage(message)) return false
      if (message.metrics === 'gather') void gather(from, message.round)
      const waiting = message.metrics === 'told' ? open.get(message.round) : undefined
      if (message.metrics === 'told' && waiting) {
        waiting.snapshots.push(message.snapshot)
        if (waiting.snapshots.length === waiting.due) waiting.finish()
      }
      return true
    },
  }
}
