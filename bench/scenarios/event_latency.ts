import { forEach, whois } from '../api.ts'
import { createLatencies, latencyFigures } from '../load/latency.ts'
import type { SocketReport } from '../load/sockets.ts'
import { observe, SERVER, serverOf } from '../measure.ts'
import type { Figures } from '../report/figures.ts'
import type { Scenario } from '../scenario.ts'
import { messageFigures, openSockets } from './socket_pool.ts'

const LATENCY = 'event-latency'
const EVENTS_A_SECOND = 50
const WAIT_MS = 30_000

/** The time from writing events to receiving them. Both clocks are this machine's. */
function latencySince(arrivals: SocketReport['arrivals'], writtenMs: ReadonlyMap<number, number>): Figures {
  const latencies = createLatencies()
  for (const [number, arrivedMs] of arrivals) {
    const from = writtenMs.get(number)
    if (from !== undefined) latencies.record((arrivedMs - from) * 1000)
  }
  return latencyFigures([latencies.encode()])
}

/** One of a thousand connected users gets a notification: the time until it reaches the socket. */
export const eventLatency: Scenario = {
  name: LATENCY,
  summary:
    'an event that concerns one of 1,000 connected people: from its row, just before the commit, to their socket',
  needs: 'local',
  group: 'streaming',
  goals: [
    { scenario: LATENCY, text: 'p50 under 5 ms', subject: SERVER, figure: 'p50', max: 5 },
    { scenario: LATENCY, text: 'p99 under 25 ms', subject: SERVER, figure: 'p99', max: 25 },
  ],
  async open(run) {
    const { target, options } = run
    const { url, people } = target
    const author = target.authors.find(({ followers }) => followers >= people.length)
    if (!author) throw new Error('there is no author that all users follow')
    const accounts = await forEach(people, token => whois(url, token))
    const texts = accounts.map(({ username }) => `@${username} MARK`)
    const hall = await openSockets({
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
        run.progress(`${LATENCY}, round ${round} of ${options.repeat} …`)
        if (round === 1) await hall.post({ ...post, measureMs: Math.max(1, options.warmup) * 1000 })
        const sinceMs = Date.now()
        const { value, figures } = await observe(serverOf(run), () =>
          hall.post({ ...post, measureMs: options.seconds * 1000 }),
        )
        const messages = messageFigures(run, LATENCY, value)
        const written = await run.target.local?.writtenSince(sinceMs)
        const committed = { ...messages, ...latencySince(value.arrivals, written ?? new Map()), ...figures }
        const answered = { rate: value.posted / value.seconds, ...latencyFigures([value.answers]) }
        const common = { scenario: LATENCY, round, unit: 'events' }
        return [
          { ...common, subject: SERVER, figures: committed },
          { ...common, subject: 'from sending the request', figures: messages },
          { ...common, subject: 'the answer to who wrote', figures: answered },
        ]
      },
      close: () => Promise.resolve(hall.close()),
    }
  },
}
