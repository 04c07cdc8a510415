import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** The metrics of a server process, in the form that prom-client passes between processes. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

/**
 * The messages between processes, all of them through the parent: one process requests the metrics
 * (`gather`), the parent asks each process (`read`), each answers (`snapshot`), and the requester
 * receives all snapshots (`gathered`).
 */
type Message =
  | { readonly metrics: 'gather' | 'read'; readonly round: number }
  | { readonly metrics: 'snapshot'; readonly round: number; readonly snapshot: Snapshot }
  | { readonly metrics: 'gathered'; readonly round: number; readonly snapshots: Snapshot[] }

type Send = (message: object) => void

/** Both ends are this program's own, so the member `metrics` identifies a message. */
const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message

/** The server processes that share a port, from the point of view of one of them. */
export interface WorkerMetrics {
  /**
   * The metrics of all of them, this process included; processes that do not answer are missing.
   */
  gather(): Promise<Snapshot[]>
  /** Sets the function that reads this process's metrics. */
  respondWith(read: () => Promise<Snapshot>): void
  /** Receives a message of the parent. @returns false when the message is about something else */
  receive(message: unknown): boolean
}

/** @param send sends to the parent, which has an `Aggregator` */
export function createWorkerMetrics(send: Send): WorkerMetrics {
  const requests = new Map<number, (snapshots: Snapshot[]) => void>()
  let rounds = 0
  let readOwn = (): Promise<Snapshot> => Promise.resolve([])

  async function reply(round: number): Promise<void> {
    // Metrics that cannot be read are left out.
    const snapshot = await readOwn().catch((): Snapshot => [])
    send({ metrics: 'snapshot', round, snapshot } satisfies Message)
  }

  return {
    gather() {
      rounds += 1
      const round = rounds
      return new Promise(resolve => {
        requests.set(round, resolve)
        send({ metrics: 'gather', round } satisfies Message)
      })
    },
    respondWith(read) {
      readOwn = read
    },
    receive(message) {
      if (!isMessage(message)) return false
      if (message.metrics === 'read') void reply(message.round)
      if (message.metrics === 'gathered') {
        requests.get(message.round)?.(message.snapshots)
        requests.delete(message.round)
      }
      return true
    },
  }
}

/** The parent's part. */
export interface Aggregator {
  /** Receives a message of a process. @returns false when the message is about something else */
  receive(from: Send, message: unknown): boolean
}

/** A process that has not answered by then is left out: it has ended, or is too busy. */
const WAIT_MS = 2_000

/**
 * @param processes how to send to each of them
 * @param readOwn reads the parent's own metrics
 */
export function createAggregator(
  processes: () => readonly Send[],
  readOwn: () => Promise<Snapshot> = () => Promise.resolve([]),
): Aggregator {
  const open = new Map<number, { snapshots: Snapshot[]; due: number; finish: () => void }>()
  let rounds = 0

  async function gather(from: Send, requestRound: number): Promise<void> {
    rounds += 1
    const round = rounds
    const snapshots = [await readOwn()]
    const all = processes()
    const due = all.length + snapshots.length
    const finish = (): void => {
      clearTimeout(timer)
      if (open.delete(round)) from({ metrics: 'gathered', round: requestRound, snapshots } satisfies Message)
    }
    const timer = setTimeout(finish, WAIT_MS)
    open.set(round, { snapshots, due, finish })
    for (const send of all) send({ metrics: 'read', round } satisfies Message)
  }

  return {
    receive(from, message) {
      if (!isMessage(message)) return false
      if (message.metrics === 'gather') void gather(from, message.round)
      const waiting = message.metrics === 'snapshot' ? open.get(message.round) : undefined
      if (message.metrics === 'snapshot' && waiting) {
        waiting.snapshots.push(message.snapshot)
        if (waiting.snapshots.length === waiting.due) waiting.finish()
      }
      return true
    },
  }
}
