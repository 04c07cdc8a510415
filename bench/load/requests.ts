import { setTimeout as delay } from 'node:timers/promises'
import { serveOrders, watchCpu } from './child.ts'
import { createConnection, writeRequest, type Connection } from './connection.ts'
import { Count, type Outcome } from './count.ts'
import { nowMicroseconds } from './latency.ts'

/** A process that sends requests on some connections and measures latencies. */

export interface Step {
  readonly method?: string
  readonly path: string
  /** `NUMBER` in it is replaced by a number that is unique in this process. */
  readonly body?: string
  /** An additional label under which its responses are counted. */
  readonly label?: string
  /** The relative probability of the step. */
  readonly weight?: number
}

export interface RequestLoad {
  readonly url: string
  /** The tokens of the users; none: anonymous. */
  readonly tokens: readonly string[]
  readonly steps: readonly Step[]
  readonly connections: number
  /**
   * The number of requests per second regardless of latency (an open loop): latency then counts
   * from when a request was due, so that one slow response shows in all that waited for it.
   * Undefined: each connection waits for its response (a closed loop).
   */
  readonly ratePerSecond?: number
  /**
   * `turns`: each user takes the first step, then each the second …; `drawn`: users and steps at
   * random, by weight.
   */
  readonly order: 'turns' | 'drawn'
  readonly warmupMs: number
  readonly measureMs: number
}

export interface RequestOutcome {
  readonly all: Outcome
  readonly byLabel: Readonly<Record<string, Outcome>>
  readonly seconds: number
  /** CPU seconds per second of this process. */
  readonly cpu: number
  /** The first failures, for the report. */
  readonly failures: readonly string[]
}

const MAX_FAILURES = 3
/** How long an open loop waits at the end for missing responses. */
const GRACE_MS = 10_000

/** Generates the requests. */
function createRequests({ url, tokens, steps, order }: RequestLoad): () => { request: Buffer; step: Step } {
  const parsed = new URL(url)
  const people = Math.max(1, tokens.length)
  const drawn = steps.flatMap(step => Array.from({ length: step.weight ?? 1 }, () => step))
  const made = new Map<string, Buffer>()
  let count = -1

  function write(step: Step, person: number): Buffer {
    const { method = 'GET', path } = step
    const token = tokens[person]
    if (step.body !== undefined) {
      const body = step.body.replaceAll('NUMBER', `${process.pid}-${count}`)
      return writeRequest(parsed, { method, path, token, body })
    }
    const key = `${person} ${method} ${path}`
    const known = made.get(key)
    if (known) return known
    const request = writeRequest(parsed, { method, path, token })
    made.set(key, request)
    return request
  }

  return () => {
    count += 1
    const isDrawn = order === 'drawn'
    const person = isDrawn ? Math.floor(Math.random() * people) : count % people
    const step = isDrawn
      ? drawn[Math.floor(Math.random() * drawn.length)]
      : steps[Math.floor(count / people) % steps.length]
    if (!step) throw new Error('there are no steps')
    return { request: write(step, person), step }
  }
}

async function generate(load: RequestLoad): Promise<RequestOutcome> {
  const next = createRequests(load)
  const all = new Count()
  const byLabel = new Map<string, Count>()
  const failures: string[] = []
  const beganUs = nowMicroseconds()
  const measureFromUs = beganUs + load.warmupMs * 1000
  const endUs = measureFromUs + load.measureMs * 1000
  let due = 0
  let cpu = (): number => 0
  const warm = setTimeout(() => (cpu = watchCpu()), load.warmupMs)

  function note(step: Step, sentUs: number, status: number, body: string): void {
    const nowUs = nowMicroseconds()
    const isError = status < 200 || status > 299
    if (isError && failures.length < MAX_FAILURES) failures.push(`${step.path} answers ${status} ${body}`.trim())
    const isLate = load.ratePerSecond === undefined && nowUs > endUs
    if (sentUs < measureFromUs || isLate) return
    all.add(isError, nowUs - sentUs)
    if (step.label === undefined) return
    const count = byLabel.get(step.label) ?? new Count()
    byLabel.set(step.label, count)
    count.add(isError, nowUs - sentUs)
  }

  async function sendOne(connection: Connection, sentUs: number): Promise<void> {
    const { request, step } = next()
    try {
      const { status } = await connection.send(request)
      note(step, sentUs, status, '')
    } catch (error) {
      note(step, sentUs, 0, error instanceof Error ? error.message : String(error))
      await delay(1)
    }
  }

  async function closedLoop(connection: Connection): Promise<void> {
    for (let nowUs = nowMicroseconds(); nowUs < endUs; nowUs = nowMicroseconds()) await sendOne(connection, nowUs)
  }

  async function openLoop(connection: Connection, ratePerSecond: number): Promise<void> {
    const giveUpUs = endUs + GRACE_MS * 1000
    for (;;) {
      const dueUs = beganUs + (due * 1e6) / ratePerSecond
      if (dueUs >= endUs || nowMicroseconds() > giveUpUs) return
      due += 1
      const waitMs = (dueUs - nowMicroseconds()) / 1000
      if (waitMs > 0) await delay(waitMs)
      // An inaccurate timer is this process's fault; the lack of a free connection is the server's.
      await sendOne(connection, waitMs > 0 ? nowMicroseconds() : dueUs)
    }
  }

  const connections = Array.from({ length: load.connections }, () => createConnection(new URL(load.url)))
  const loops = connections.map(connection =>
    load.ratePerSecond === undefined ? closedLoop(connection) : openLoop(connection, load.ratePerSecond),
  )
  await Promise.all(loops)
  clearTimeout(warm)
  const unsent = load.ratePerSecond === undefined ? 0 : Math.ceil(((endUs - beganUs) * load.ratePerSecond) / 1e6) - due
  if (unsent > 0) {
    all.errors += unsent
    failures.push(`${unsent} requests were not sent: the answers before them had not come`)
  }
  const used = cpu()
  for (const connection of connections) connection.close()
  const labels = Object.fromEntries([...byLabel].map(([label, count]) => [label, count.outcome]))
  return { all: all.outcome, byLabel: labels, seconds: load.measureMs / 1000, cpu: used, failures }
}

if (process.send) serveOrders(generate)
