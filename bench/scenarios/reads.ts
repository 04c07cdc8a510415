import { askForText, findStatuses, makeList } from '../api.ts'
import { BARE_ROUTE, POINT_QUERY, startBaseline } from '../baseline/baseline.ts'
import type { Step } from '../load/requests.ts'
import { measureRequests, SERVER, serverOf, type Subject } from '../measure.ts'
import type { Goal } from '../report/goals.ts'
import type { Need, Opened, Requests, Scenario, Run } from '../scenario.ts'

interface Read {
  readonly name: string
  readonly summary: string
  readonly needs: Need
  readonly group: 'anonymous' | 'signed-in'
  readonly goals?: readonly Goal[]
  prepare(run: Run): Requests | Promise<Requests>
}

const READERS = 16
const LISTS = 4

const paths = (...list: string[]): Step[] => list.map(path => ({ path }))

/** Users who follow a thousand accounts; on a remote server any users. */
export const readersOf = ({ target }: Run): readonly string[] =>
  target.readers.length > 0 ? target.readers : target.people.slice(0, READERS)

export const HOME = '/api/v1/timelines/home?limit=20'

const anonymousGoal = (scenario: string): Goal => ({
  scenario,
  text: 'at least 60 % of the requests a second of the bare route',
  subject: SERVER,
  figure: 'rate',
  of: { subject: BARE_ROUTE },
  min: 0.6,
})

export const homeGoals = (scenario: string): Goal[] => [
  {
    scenario,
    text: 'at least 50 % of the rate of the bare route with one point query',
    subject: SERVER,
    figure: 'rate',
    of: { subject: POINT_QUERY },
    min: 0.5,
  },
  {
    scenario,
    text: 'p99 under 3 times that of the bare route with one point query',
    subject: SERVER,
    figure: 'p99',
    of: { subject: POINT_QUERY },
    max: 3,
  },
]

const everybody = ({ target }: Run, ...list: string[]): Requests => ({ tokens: target.people, steps: paths(...list) })

const READS: readonly Read[] = [
  {
    name: 'public',
    summary: 'the public timeline, read anonymously',
    needs: 'nothing',
    group: 'anonymous',
    goals: [anonymousGoal('public')],
    prepare: () => ({ tokens: [], steps: paths('/api/v1/timelines/public?limit=20') }),
  },
  {
    name: 'status',
    summary: 'single statuses, read anonymously',
    needs: 'nothing',
    group: 'anonymous',
    goals: [anonymousGoal('status')],
    async prepare({ target }) {
      const statuses = await findStatuses(target.url)
      return { tokens: [], steps: paths(...statuses.map(({ id }) => `/api/v1/statuses/${id}`)) }
    },
  },
  {
    name: 'instance',
    summary: 'the instance document',
    needs: 'nothing',
    group: 'anonymous',
    goals: [anonymousGoal('instance')],
    prepare: () => ({ tokens: [], steps: paths('/api/v2/instance') }),
  },
  {
    name: 'home',
    summary: 'home timelines of people who follow a thousand',
    needs: 'people',
    group: 'signed-in',
    goals: homeGoals('home'),
    prepare: run => ({ tokens: readersOf(run), steps: paths(HOME) }),
  },
  {
    name: 'list',
    summary: 'timelines of lists',
    needs: 'people',
    group: 'signed-in',
    async prepare(run) {
      // A list belongs to its owner: one reader, some lists.
      const token = readersOf(run)[0] ?? ''
      const ids: string[] = []
      while (ids.length < LISTS) ids.push(await makeList(run.target.url, token))
      return { tokens: [token], steps: paths(...ids.map(id => `/api/v1/timelines/list/${id}?limit=20`)) }
    },
  },
  {
    name: 'tag',
    summary: 'timelines of hashtags',
    needs: 'people',
    group: 'signed-in',
    async prepare(run) {
      const { target } = run
      const statuses = await findStatuses(target.url, target.people[0])
      const names = new Set(statuses.flatMap(({ tags }) => tags.map(({ name }) => name)))
      if (names.size === 0) names.add('introduction')
      return everybody(run, ...[...names].map(name => `/api/v1/timelines/tag/${encodeURIComponent(name)}?limit=20`))
    },
  },
  {
    name: 'notifications',
    summary: 'notifications, one by one',
    needs: 'people',
    group: 'signed-in',
    prepare: run => everybody(run, '/api/v1/notifications?limit=40'),
  },
  {
    name: 'notifications-grouped',
    summary: 'notifications in groups',
    needs: 'people',
    group: 'signed-in',
    prepare: run => everybody(run, '/api/v2/notifications?limit=40'),
  },
  {
    name: 'context',
    summary: 'the context of a thread of 500 answers (elsewhere: --thread)',
    needs: 'people',
    group: 'signed-in',
    async prepare(run) {
      const { target } = run
      const id = target.thread ?? (await findStatuses(target.url, target.people[0]))[0]?.id ?? ''
      if (target.thread === undefined) run.warn('context: of the newest public status, because no --thread is given')
      return everybody(run, `/api/v1/statuses/${id}/context`)
    },
  },
  {
    name: 'account',
    summary: 'statuses of accounts',
    needs: 'people',
    group: 'signed-in',
    async prepare(run) {
      const statuses = await findStatuses(run.target.url, run.target.people[0])
      const ids = new Set(statuses.map(({ account }) => account.id))
      return everybody(run, ...[...ids].map(id => `/api/v1/accounts/${id}/statuses?limit=20`))
    },
  },
  {
    name: 'search',
    summary: 'accounts, statuses and hashtags by words',
    needs: 'people',
    group: 'signed-in',
    prepare: run =>
      everybody(
        run,
        ...['garden', 'night train', 'ada', 'intro', 'wolf'].map(q => `/api/v2/search?q=${encodeURIComponent(q)}`),
      ),
  },
]

/**
 * The baselines of a read: the same bytes without any work, and after one point query if the local
 * database is available.
 */
async function openBaselines(
  run: Run,
  { tokens, steps }: Requests,
): Promise<{ subjects: (Subject & { path: string })[]; close(): void }> {
  const { url, local } = run.target
  const body = await askForText({ url, token: tokens[0], path: steps[0]?.path ?? '/' })
  const baseline = await startBaseline({ body, dataDir: local?.dataDir })
  const { usage, close } = baseline
  const bare = { name: BARE_ROUTE, url: baseline.url, path: '/bare', usage }
  const query = { name: POINT_QUERY, url: baseline.url, path: '/query', usage }
  return { subjects: local ? [bare, query] : [bare], close }
}

/** Measures a read and its baselines. */
export async function openReading(run: Run, scenario: string, reading: Requests): Promise<Opened> {
  const baselines = await openBaselines(run, reading)
  return {
    async measure(round) {
      const results = await measureRequests(run, serverOf(run), { scenario, round, ...reading })
      for (const subject of baselines.subjects) {
        const steps = paths(subject.path)
        results.push(...(await measureRequests(run, subject, { scenario, round, tokens: [], steps })))
      }
      return results
    },
    close: () => Promise.resolve(baselines.close()),
  }
}

export const reads: readonly Scenario[] = READS.map(({ name, summary, needs, group, goals = [], prepare }) => ({
  name,
  summary,
  needs,
  group,
  goals,
  requests: prepare,
  open: async run => openReading(run, name, await prepare(run)),
}))
