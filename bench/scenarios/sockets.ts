import { findAudience, forEach, whois } from '../api.ts'
import { BARE_PUBLISH, startCeiling } from '../ceiling/ceiling.ts'
import { latencyFigures } from '../load/latency.ts'
import type { SocketLoad } from '../load/sockets.ts'
import { checkLoad, observe, SERVER, serverOf, type Subject } from '../measure.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Scenario, Stage } from '../scenario.ts'
import { messageFigures, openHall, TEXT, type Hall } from './hall.ts'

const delay = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
const WAIT_MS = 30_000

const LATENCY = 'event-latency'
const EVENTS_A_SECOND = 50

/** One of a thousand connected people is written to: how long until their socket has the notification. */
export const eventLatency: Scenario = {
  name: LATENCY,
  summary: 'from sending a request that concerns one of 1,000 connected people (so before its commit) to their socket',
  needs: 'own',
  group: 'streaming',
  goals: [
    { scenario: LATENCY, text: 'p50 under 5 ms', subject: SERVER, figure: 'p50', most: 5 },
    { scenario: LATENCY, text: 'p99 under 25 ms', subject: SERVER, figure: 'p99', most: 25 },
  ],
  async open(stage) {
    const { target, options } = stage
    const { url, people } = target
    const author = target.authors.find(({ followers }) => followers >= people.length)
    if (!author) throw new Error('there is nobody whom everybody follows')
    const accounts = await forEach(people, token => whois(url, token))
    const texts = accounts.map(({ username }) => `@${username} MARK`)
    const hall = await openHall({
      url,
      stream: 'user',
      tokens: people,
      sockets: people.length,
      event: 'notification',
      withIds: false,
    })
    const post = {
      url,
      token: author.token,
      texts,
      visibility: 'direct',
      audience: 1,
      waitMs: WAIT_MS,
      pace: { ratePerSecond: options.rate ?? EVENTS_A_SECOND },
    } as const
    return {
      async measure(round) {
        stage.progress(`${LATENCY}, round ${round} of ${options.repeat} …`)
        if (round === 1) await hall.post({ ...post, measureMs: Math.max(1, options.warmup) * 1000 })
        const { value, figures } = await observe(serverOf(stage), () =>
          hall.post({ ...post, measureMs: options.seconds * 1000 }),
        )
        const heard = { ...messageFigures(stage, LATENCY, value), ...figures }
        const answered = { rate: value.posted / value.seconds, ...latencyFigures([value.answers]) }
        const common = { scenario: LATENCY, round, unit: 'events' }
        return [
          { ...common, subject: SERVER, figures: heard },
          { ...common, subject: 'the answer to who wrote', figures: answered },
        ]
      },
      close: () => Promise.resolve(hall.close()),
    }
  },
}

const IDLE = 'idle'
const IDLE_SOCKETS = 10_000
const FIRST_SOCKETS = 500
const LOOK_MS = 500

/** The least memory that is seen within a while: what was needed only for opening is collected by then. */
async function settledBytes(subject: Subject, settleMs: number): Promise<number> {
  let least = Infinity
  for (const until = performance.now() + settleMs; performance.now() < until; await delay(LOOK_MS))
    least = Math.min(least, (await subject.usage?.())?.memoryBytes ?? Infinity)
  return least
}

/** Sockets beyond the first few, which make room that all share. */
async function openIdle(stage: Stage, subject: Subject, tokens: readonly string[], round: number): Promise<Result> {
  const sockets = stage.options.sockets ?? IDLE_SOCKETS
  const settleMs = stage.options.seconds * 1000
  stage.progress(`${IDLE}: ${sockets} sockets, round ${round}: ${subject.name} …`)
  const load: SocketLoad = {
    url: subject.url,
    stream: 'user',
    tokens,
    sockets: FIRST_SOCKETS,
    event: 'update',
    withIds: false,
  }
  const hall = await openHall(load)
  try {
    const before = await settledBytes(subject, settleMs)
    const { seconds } = await hall.ask({ open: { ...load, sockets } })
    const after = await settledBytes(subject, settleMs)
    const figures = { rate: sockets / seconds, bytesEach: (after - before) / sockets, memory: after / 2 ** 20 }
    return { scenario: IDLE, subject: subject.name, round, unit: 'sockets opened', figures }
  } finally {
    hall.close()
  }
}

export const idle: Scenario = {
  name: IDLE,
  summary: 'what 10,000 idle streams cost: resident memory of the server for each, and how fast they open',
  needs: 'own',
  group: 'streaming',
  goals: [{ scenario: IDLE, text: 'an idle stream under 6 KB', subject: SERVER, figure: 'bytesEach', most: 6144 }],
  async open(stage) {
    const ceiling = await startCeiling({})
    const bare: Subject = { name: BARE_PUBLISH, url: ceiling.url, usage: ceiling.usage }
    return {
      measure: async round => [
        await openIdle(stage, serverOf(stage), stage.target.people, round),
        await openIdle(stage, bare, [''], round),
      ],
      close: () => Promise.resolve(ceiling.close()),
    }
  },
}

/** People who hear the first of them. */
async function listenersOf({ target }: Stage): Promise<{ author: string; tokens: string[] }> {
  const [author = '', ...others] = target.people
  return { author, tokens: await findAudience(target.url, await whois(target.url, author), others) }
}

const BURST = 'burst'
const BURST_SOCKETS = 2000
const BURST_RATE = 100

export const burst: Scenario = {
  name: BURST,
  summary: '100 public statuses a second to 2,000 sockets: none may be lost',
  needs: 'people',
  group: 'streaming',
  goals: [{ scenario: BURST, text: 'none lost', subject: SERVER, figure: 'lost', most: 0 }],
  async open(stage) {
    const { options, target } = stage
    const { author, tokens } = await listenersOf(stage)
    const sockets = options.sockets ?? BURST_SOCKETS
    const { url } = target
    return {
      async measure(round) {
        stage.progress(`${BURST}: ${sockets} sockets, round ${round} of ${options.repeat} …`)
        const hall = await openHall({ url, stream: 'public', tokens, sockets, event: 'update', withIds: false })
        try {
          const pace = { ratePerSecond: options.rate ?? BURST_RATE }
          const measureMs = options.seconds * 1000
          const order = {
            url,
            token: author,
            texts: [TEXT],
            visibility: 'public',
            audience: sockets,
            waitMs: WAIT_MS,
            pace,
            measureMs,
          } as const
          const { value, figures } = await observe(serverOf(stage), () => hall.post(order))
          return [
            {
              scenario: BURST,
              subject: SERVER,
              round,
              unit: 'messages',
              figures: { ...messageFigures(stage, BURST, value), ...figures },
            },
          ]
        } finally {
          hall.close()
        }
      },
      close: () => Promise.resolve(),
    }
  },
}

const STORM = 'storm'
const STORM_SOCKETS = 1000
const STORM_RATE = 20
const RECONNECTING_AT_ONCE = 200

/** Cuts every connection while statuses are posted, lets some go by, then all come back at once with their last ids. */
async function storm(
  stage: Stage,
  hall: Hall,
  poster: Hall,
  author: string,
  sockets: number,
  round: number,
): Promise<Result> {
  const { options, target } = stage
  const measureMs = options.seconds * 1000
  const pace = { ratePerSecond: options.rate ?? STORM_RATE }
  const order = {
    url: target.url,
    token: author,
    texts: [TEXT],
    visibility: 'public',
    audience: 0,
    waitMs: 0,
    pace,
    measureMs,
  } as const
  const { value, figures } = await observe(serverOf(stage), async () => {
    const posting = poster.post(order)
    await delay(measureMs / 3)
    await hall.ask({ cut: true })
    await delay(measureMs / 3)
    const resumed = await hall.ask({ resume: { atOnce: RECONNECTING_AT_ONCE } })
    const posted = await posting
    const { report } = await hall.ask({ settle: { expected: posted.posted * sockets, waitMs: WAIT_MS } })
    return { resumed, posted, report }
  })
  const { resumed, posted, report } = value
  if (!report) throw new Error('the process that holds sockets gave no report')
  checkLoad(stage, STORM, report.cpu)
  const measured = {
    rate: sockets / resumed.seconds,
    errors: posted.errors,
    lost: posted.posted * sockets - (report.received - report.twice),
    twice: report.twice,
    caughtUp: resumed.seconds * 1000,
    ...latencyFigures([report.latencies]),
  }
  return { scenario: STORM, subject: SERVER, round, unit: 'reconnections', figures: { ...measured, ...figures } }
}

export const storms: Scenario = {
  name: STORM,
  summary:
    '1,000 clients lose their connections while statuses are posted, and resume all at once: none lost, none twice',
  needs: 'people',
  group: 'streaming',
  goals: [
    { scenario: STORM, text: 'none lost', subject: SERVER, figure: 'lost', most: 0 },
    { scenario: STORM, text: 'none twice', subject: SERVER, figure: 'twice', most: 0 },
  ],
  async open(stage): Promise<Opened> {
    const { options, target } = stage
    const { author, tokens } = await listenersOf(stage)
    const sockets = options.sockets ?? STORM_SOCKETS
    return {
      async measure(round) {
        stage.progress(`${STORM}: ${sockets} sockets, round ${round} of ${options.repeat} …`)
        const poster = await openHall(undefined)
        const hall = await openHall({
          url: target.url,
          stream: 'public',
          tokens,
          sockets,
          event: 'update',
          withIds: true,
        })
        try {
          return [await storm(stage, hall, poster, author, sockets, round)]
        } finally {
          hall.close()
          poster.close()
        }
      },
      close: () => Promise.resolve(),
    }
  },
}
