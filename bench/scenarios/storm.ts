import { setTimeout as delay } from 'node:timers/promises'
import { latencyFigures } from '../load/latency.ts'
import { checkLoad, observe, SERVER, serverOf } from '../measure.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Scenario, Run } from '../scenario.ts'
import { findListeners, openSockets, TEXT, type OpenSockets } from './socket_pool.ts'

const WAIT_MS = 30_000
const STORM = 'storm'
const STORM_SOCKETS = 1000
const STORM_RATE = 20
const RECONNECTING_AT_ONCE = 200

/**
 * Cuts every connection while statuses are posted, waits for some more, then reconnects all at once
 * with their last ids.
 */
async function cutAndResume(
  run: Run,
  hall: OpenSockets,
  poster: OpenSockets,
  author: string,
  sockets: number,
  round: number,
): Promise<Result> {
  const { options, target } = run
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
  const { value, figures } = await observe(serverOf(run), async () => {
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
  if (!report) throw new Error('the process that holds sockets returned no report')
  checkLoad(run, STORM, report.cpu)
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

export const storm: Scenario = {
  name: STORM,
  summary:
    '1,000 clients lose their connections while statuses are posted, and resume all at once: none lost, none twice',
  needs: 'people',
  group: 'streaming',
  goals: [
    { scenario: STORM, text: 'none lost', subject: SERVER, figure: 'lost', max: 0 },
    { scenario: STORM, text: 'none twice', subject: SERVER, figure: 'twice', max: 0 },
  ],
  async open(run): Promise<Opened> {
    const { options, target } = run
    const { author, tokens } = await findListeners(run)
    const sockets = options.sockets ?? STORM_SOCKETS
    return {
      async measure(round) {
        run.progress(`${STORM}: ${sockets} sockets, round ${round} of ${options.repeat} …`)
        const poster = await openSockets(undefined)
        const hall = await openSockets({
          url: target.url,
          stream: 'public',
          tokens,
          sockets,
          event: 'update',
          withIds: true,
        })
        try {
          return [await cutAndResume(run, hall, poster, author, sockets, round)]
        } finally {
          hall.close()
          poster.close()
        }
      },
      close: () => Promise.resolve(),
    }
  },
}
