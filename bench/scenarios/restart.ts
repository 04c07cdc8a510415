import { setTimeout as delay } from 'node:timers/promises'
import { sendCommand } from '../../src/app/control.ts'
import { startLoad } from '../load/child.ts'
import { latencyFigures } from '../load/latency.ts'
import type { RequestLoad, RequestOutcome, Step } from '../load/requests.ts'
import { checkLoad, observe, SERVER, serverOf } from '../measure.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Scenario, Run } from '../scenario.ts'
import { HOME, readersOf } from './reads.ts'
import { findListeners, openSockets, TEXT, type OpenSockets } from './socket_pool.ts'

const RESTART = 'restart'
const SOCKETS = 100
const POSTS_PER_SECOND = 20
const WAIT_MS = 30_000
/** The load goes on for this long at least: the new processes compete with it for the cores. */
const MIN_SECONDS = 20

/** Readers and writers that keep all connections busy. */
const STEPS: readonly Step[] = [
  { path: HOME, weight: 6 },
  { path: '/api/v1/timelines/public?limit=20', weight: 3 },
  {
    method: 'POST',
    path: '/api/v1/statuses',
    body: JSON.stringify({ status: 'Posted during a restart, number NUMBER', visibility: 'unlisted', language: 'en' }),
  },
]

async function replaceProcesses(run: Run, dataDir: string): Promise<number> {
  const response = await sendCommand(dataDir, 'restart')
  if (!response || 'refused' in response) throw new Error(`the restart failed: ${response?.refused ?? 'no server'}`)
  run.progress(`${RESTART}: new processes serve after ${Math.round(response.restarted.durationMs)} ms …`)
  return response.restarted.durationMs
}

/** Requests, posts and sockets go on while new processes take over. */
async function restartUnderLoad(
  run: Run,
  {
    hall,
    poster,
    author,
    sockets,
    round,
    dataDir,
  }: {
    readonly hall: OpenSockets
    readonly poster: OpenSockets
    readonly author: string
    readonly sockets: number
    readonly round: number
    readonly dataDir: string
  },
): Promise<Result> {
  const { options, target } = run
  const measureMs = Math.max(MIN_SECONDS, options.seconds) * 1000
  const generator = startLoad<RequestLoad, RequestOutcome>('requests')
  const load: RequestLoad = {
    url: target.url,
    tokens: readersOf(run),
    steps: STEPS,
    order: 'drawn',
    connections: options.connections,
    warmupMs: 0,
    measureMs,
  }
  const pace = { ratePerSecond: options.rate ?? POSTS_PER_SECOND }
  const order = { url: target.url, token: author, texts: [TEXT], visibility: 'public', audience: 0, waitMs: 0 } as const
  try {
    const { value, figures } = await observe(serverOf(run), async () => {
      let loaded = true
      const asking = generator.ask(load).finally(() => (loaded = false))
      const posting = poster.post({ ...order, pace, measureMs })
      await delay(measureMs / 4)
      const start = await replaceProcesses(run, dataDir)
      if (!loaded) run.warn(`${RESTART}: the load ended before the previous processes (--seconds)`)
      const [asked, posted] = await Promise.all([asking, posting])
      const { report } = await hall.ask({ settle: { expected: posted.posted * sockets, waitMs: WAIT_MS } })
      return { start, asked, posted, report }
    })
    const { start, asked, posted, report } = value
    if (!report) throw new Error('the process that holds sockets returned no report')
    checkLoad(run, RESTART, asked.cpu, figures)
    for (const failure of [...asked.failures, ...posted.failures]) run.warn(`${RESTART}: ${failure}`)
    const measured = {
      rate: (asked.all.requests - asked.all.errors) / asked.seconds,
      errors: asked.all.errors + posted.errors,
      lost: posted.posted * sockets - (report.received - report.twice),
      twice: report.twice,
      start,
      ...latencyFigures([asked.all.latencies]),
    }
    return { scenario: RESTART, subject: SERVER, round, unit: 'requests', figures: { ...measured, ...figures } }
  } finally {
    generator.close()
  }
}

export const restart: Scenario = {
  name: RESTART,
  summary: 'new processes take over under full load: no failed request, no event lost or twice',
  needs: 'local',
  group: RESTART,
  goals: [
    { scenario: RESTART, text: 'no failed request', subject: SERVER, figure: 'errors', max: 0 },
    { scenario: RESTART, text: 'none lost', subject: SERVER, figure: 'lost', max: 0 },
    { scenario: RESTART, text: 'none twice', subject: SERVER, figure: 'twice', max: 0 },
  ],
  async open(run): Promise<Opened> {
    const { options, target } = run
    const { local } = target
    if (!local) throw new Error('this scenario needs a local server')
    const { author, tokens } = await findListeners(run)
    const sockets = options.sockets ?? SOCKETS
    return {
      async measure(round) {
        run.progress(`${RESTART}, round ${round} of ${options.repeat} …`)
        const poster = await openSockets(undefined)
        const stream = { url: target.url, stream: 'public', tokens, sockets, event: 'update' } as const
        const hall = await openSockets({ ...stream, withIds: true, resumes: true })
        try {
          return [await restartUnderLoad(run, { hall, poster, author, sockets, round, dataDir: local.dataDir })]
        } finally {
          hall.close()
          poster.close()
        }
      },
      // Leaves the server with its first process.
      close: async () => void (await local.restart(options.workers)),
    }
  },
}
