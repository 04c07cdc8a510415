import { findStatuses } from '../api.ts'
import type { Step } from '../load/requests.ts'
import { measureRequests, SERVER, serverOf } from '../measure.ts'
import { median, type Result, type Sample } from '../report/report.ts'
import type { Scenario, Run } from '../scenario.ts'
import { serverMemory, watchMemory } from './memory.ts'
import { openSockets } from './socket_pool.ts'

const NAME = 'mixed'
const RATE = 200
const CLIENTS = 1000
const HOUR_S = 3600
/** Growth is reported only after the warm-up; shorter measurements say nothing about hours. */
const MIN_FOR_GROWTH_S = 600

/** The requests of a thousand users with open apps, weighted by frequency. */
async function stepsOf({ target }: Run): Promise<Step[]> {
  const statuses = await findStatuses(target.url, target.people[0])
  const ids = statuses.map(({ id }) => id)
  const accounts = [...new Set(statuses.map(({ account }) => account.id))]
  const spread = (label: string, weight: number, paths: readonly string[], method = 'GET'): Step[] =>
    paths.map(path => ({ label, method, path, weight }))
  const some = ids.slice(0, 10)
  return [
    { label: 'home', path: '/api/v1/timelines/home?limit=20', weight: 400 },
    { label: 'notifications', path: '/api/v1/notifications?limit=20', weight: 100 },
    { label: 'grouped notifications', path: '/api/v2/notifications?limit=20', weight: 60 },
    { label: 'public', path: '/api/v1/timelines/public?limit=20', weight: 80 },
    ...spread(
      'status',
      5,
      some.map(id => `/api/v1/statuses/${id}`),
    ),
    ...spread(
      'context',
      6,
      some.map(id => `/api/v1/statuses/${id}/context`),
    ),
    ...spread(
      'account',
      8,
      accounts.slice(0, 10).map(id => `/api/v1/accounts/${id}/statuses?limit=20`),
    ),
    { label: 'search', path: '/api/v2/search?q=garden', weight: 20 },
    ...spread(
      'favourite',
      6,
      some.map(id => `/api/v1/statuses/${id}/favourite`),
      'POST',
    ),
    ...spread(
      'unfavourite',
      2,
      some.map(id => `/api/v1/statuses/${id}/unfavourite`),
      'POST',
    ),
    {
      label: 'post',
      method: 'POST',
      path: '/api/v1/statuses',
      body: JSON.stringify({ status: 'Something that happened, number NUMBER', visibility: 'public', language: 'en' }),
      weight: 60,
    },
  ]
}

/**
 * Megabytes per hour after the warm-up, in which caches fill: the median of the last quarter
 * against that of the second, which are half of the time apart.
 */
export function growthOf(all: readonly Sample[], warmupSeconds = 0): number | undefined {
  const samples = all
    .filter(({ seconds }) => seconds >= warmupSeconds)
    .map(({ seconds, megabytes }) => ({ seconds: seconds - warmupSeconds, megabytes }))
  const last = samples.at(-1)?.seconds ?? 0
  if (last < MIN_FOR_GROWTH_S) return undefined
  const middle = (from: number, to: number): number =>
    median(
      samples.filter(({ seconds }) => seconds >= from * last && seconds <= to * last).map(({ megabytes }) => megabytes),
    )
  return ((middle(0.75, 1) - middle(0.25, 0.5)) / (last / 2)) * HOUR_S
}

export const mixed: Scenario = {
  name: NAME,
  summary: '1,000 clients that stream, poll, post and like, at --rate requests a second (200), with memory over time',
  needs: 'people',
  group: 'mixed',
  goals: [
    { scenario: NAME, text: 'the process under 300 MB', subject: SERVER, figure: 'memory', max: 300 },
    { scenario: NAME, text: 'without growth: at most 10 MB an hour', subject: SERVER, figure: 'growth', max: 10 },
  ],
  async open(run) {
    const { target, options } = run
    const { url, people } = target
    const steps = await stepsOf(run)
    const sockets = options.sockets ?? CLIENTS
    const hall = await openSockets({ url, stream: 'user', tokens: people, sockets, event: 'update', withIds: false })
    return {
      async measure(round): Promise<Result[]> {
        const stopWatching = watchMemory(serverMemory(run), options.warmup + options.seconds)
        const load = { scenario: NAME, round, tokens: people, steps, order: 'drawn' } as const
        const counting = hall.ask({ count: { ms: (options.warmup + options.seconds) * 1000 } })
        const [whole, ...parts] = await measureRequests(run, serverOf(run), {
          ...load,
          ratePerSecond: options.rate ?? RATE,
        })
        const { open } = await counting
        const memory = stopWatching()
        if (!whole) return []
        if (open < sockets) run.warn(`${NAME}: ${sockets - open} of ${sockets} streams were ended`)
        const growth = growthOf(memory, options.warmup)
        return [{ ...whole, figures: { ...whole.figures, ...(growth !== undefined && { growth }) }, memory }, ...parts]
      },
      close: () => Promise.resolve(hall.close()),
    }
  },
}
