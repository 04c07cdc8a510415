import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../../src/cli/seed/random.ts'
import { loadSharp } from '../../src/platform/storage/index.ts'
import { serveOrders, watchCpu } from './child.ts'
import type { Outcome } from './count.ts'
import { partOf, planDay, type Action, type Visit } from './day_plan.ts'
import { DayRequests, type Screen } from './day_requests.ts'
import { DayStreams, type DayStream } from './day_streams.ts'
import { createLatencies, nowMicroseconds } from './latency.ts'
import { openPushReceiver, type PushReceiver } from './push_receiver.ts'

/** A process that stands for all people of a community on a part of a day. */

export interface DayLoad {
  readonly url: string
  readonly seed: string
  readonly tokens: readonly string[]
  /** By index: those whose home stream has the posts of a person, the person included. */
  readonly followers: readonly (readonly number[])[]
  /** Seconds of the day. */
  readonly from: number
  readonly until: number
  /** How many seconds of the day pass in one. */
  readonly speed: number
  /** In which those who came before `from` open their apps; not counted. */
  readonly warmupMs: number
}

export type DayOrder =
  { readonly live: DayLoad } | { readonly settlePushes: { readonly expected: number; readonly waitMs: number } }

export interface DayOutcome {
  readonly all: Outcome
  readonly byLabel: Readonly<Record<string, Outcome>>
  /** Posts at sockets: from when they were due to be sent. */
  readonly posts: Outcome
  readonly failures: readonly string[]
  readonly visits: number
  readonly lost: number
  readonly twice: number
  /** How often the server ended a stream, which then resumed. */
  readonly ended: number
  /** Messages that the push service has received. */
  readonly pushes: number
  /** By how much this process did things too late, encoded. */
  readonly lateness: string
  readonly seconds: number
  readonly cpu: number
}

const OPENING = 'a stream is opened'
/** The longest wait between two looks at the clock. */
const SLICE_MS = 5
const EARLY_STEPS = 97
/** How long unanswered requests and missing posts are awaited at the end. */
const GRACE_MS = 30_000
const PICTURE = { width: 1600, height: 1200, channels: 3, background: '#7799bb' } as const

let phones: PushReceiver | undefined

const paint = async (): Promise<Buffer> => {
  const sharp = await loadSharp()
  return sharp({ create: { ...PICTURE, noise: { type: 'gaussian', mean: 128, sigma: 20 } } })
    .jpeg()
    .toBuffer()
}

/** Something that happens at a time. */
interface Happening {
  readonly dueUs: number
  run(): Promise<void>
}

/** Makes everything happen when it is due, whatever the answers take. */
class DayRun {
  /** Milliseconds that this process was late. */
  readonly lateness = createLatencies()
  readonly #load: DayLoad
  readonly #requests: DayRequests
  readonly #streams: DayStreams
  readonly #underWay = new Set<Promise<void>>()

  constructor(load: DayLoad, requests: DayRequests, streams: DayStreams) {
    this.#load = load
    this.#requests = requests
    this.#streams = streams
  }

  /** @param beganUs when the part of the day begins */
  async live(visits: readonly Visit[], beganUs: number): Promise<void> {
    const happenings = visits.flatMap(visit => this.#happeningsOf(visit, beganUs)).sort((a, b) => a.dueUs - b.dueUs)
    for (const { dueUs, run } of happenings) {
      for (let early = dueUs - nowMicroseconds(); early > 0; early = dueUs - nowMicroseconds())
        await delay(Math.ceil(Math.min(early / 1000, SLICE_MS)))
      this.lateness.record(nowMicroseconds() - dueUs)
      const running: Promise<void> = run().finally(() => this.#underWay.delete(running))
      this.#underWay.add(running)
    }
    await Promise.race([Promise.allSettled(this.#underWay), delay(GRACE_MS, undefined, { ref: false })])
  }

  #happeningsOf(visit: Visit, beganUs: number): Happening[] {
    const { from, until, speed, warmupMs, tokens } = this.#load
    const at = (seconds: number): number => Math.round(beganUs + ((seconds - from) / speed) * 1e6)
    const screen: Screen = { person: visit.person, token: tokens[visit.person] ?? '', shown: [] }
    const isEarly = visit.from < from
    // Evenly over the warm-up.
    const arriveUs = isEarly
      ? beganUs - Math.round(((visit.person % EARLY_STEPS) / EARLY_STEPS) * warmupMs * 1000)
      : at(visit.from)
    const act = (action: Action, dueUs: number): Happening => ({
      dueUs,
      run: () => this.#requests.perform(action, screen, dueUs),
    })
    let opening: Promise<DayStream | undefined> | undefined
    const open = { dueUs: arriveUs, run: async () => void (await (opening = this.#open(screen, arriveUs))) }
    const close = {
      dueUs: at(Math.min(visit.until, until)),
      run: async () => {
        const stream = await opening
        if (stream) await this.#streams.close(stream)
      },
    }
    const look = isEarly ? [act({ kind: 'home', first: true, at: visit.from }, arriveUs)] : []
    return [open, ...look, ...visit.actions.map(action => act(action, at(action.at))), close]
  }

  async #open({ person, token }: Screen, dueUs: number): Promise<DayStream | undefined> {
    try {
      const stream = await this.#streams.open(person, token)
      this.#requests.note(OPENING, dueUs)
      return stream
    } catch (error) {
      this.#requests.note(OPENING, dueUs, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
}

async function live(load: DayLoad): Promise<DayOutcome> {
  phones ??= await openPushReceiver()
  const { url, seed, from, until, warmupMs } = load
  const visits = partOf(planDay(load.tokens.length, seed), from, until)
  const streams = new DayStreams(url, load.followers)
  const random = createRandom(seed, 'targets')
  const requests = new DayRequests({ url, random, streams, phones, picture: await paint() })
  const beganUs = nowMicroseconds() + warmupMs * 1000
  requests.countFromUs = beganUs
  const run = new DayRun(load, requests, streams)
  const cpu = watchCpu()
  await run.live(visits, beganUs)
  const used = cpu()
  requests.close()
  const { all, byLabel, failures, unanswered } = requests
  const { received, lost, twice, ended } = streams
  if (unanswered > 0) failures.push(`${unanswered} requests were not answered`)
  all.errors += unanswered
  return {
    all: all.outcome,
    byLabel: Object.fromEntries([...byLabel].map(([label, count]) => [label, count.outcome])),
    posts: { requests: received, errors: 0, latencies: streams.latencies.encode() },
    failures,
    visits: visits.length,
    lost,
    twice,
    ended,
    pushes: phones.received,
    lateness: run.lateness.encode(),
    seconds: (nowMicroseconds() - beganUs) / 1e6,
    cpu: used,
  }
}

async function answerTo(order: DayOrder): Promise<DayOutcome | { readonly pushes: number }> {
  if ('live' in order) return live(order.live)
  await phones?.settle(order.settlePushes.expected, order.settlePushes.waitMs)
  return { pushes: phones?.received ?? 0 }
}

if (process.send) serveOrders(answerTo)
