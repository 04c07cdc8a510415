import { askFor, findFollowers, forEach, whois } from '../api.ts'
import { ONE_COMMIT, startBaseline } from '../baseline/baseline.ts'
import { startLoad } from '../load/child.ts'
import type { FeedLoad, FeedOutcome } from '../load/feeds.ts'
import { latencyFigures } from '../load/latency.ts'
import type { Step } from '../load/requests.ts'
import { checkLoad, measureRequests, observe, SERVER, serverOf } from '../measure.ts'
import type { Goal } from '../report/goals.ts'
import { median } from '../report/report.ts'
import type { Opened, Requests, Scenario, Run } from '../scenario.ts'

const POST: Step = {
  method: 'POST',
  path: '/api/v1/statuses',
  body: JSON.stringify({ status: 'A post like many others, number NUMBER', visibility: 'public', language: 'en' }),
}
const BASELINE_POST: Step = { ...POST, path: '/commit' }
const WAIT_MS = 30_000

/**
 * Authors with this many followers; on a remote server any authors, with the followers that they
 * have.
 */
const authorsOf = ({ target }: Run, followers: number): string[] =>
  target.local
    ? target.authors.filter(author => author.followers === followers).map(({ token }) => token)
    : [...target.people]

function postsBy(run: Run, followers: number): Requests {
  const tokens = authorsOf(run, followers)
  if (tokens.length === 0) throw new Error(`there is no author with ${followers} followers`)
  return { tokens, steps: [POST] }
}

async function openPosting(run: Run, scenario: string, followers: number): Promise<Opened> {
  const { local } = run.target
  const posts = postsBy(run, followers)
  const baseline = local && (await startBaseline({ body: '{"id":"1"}', dataDir: local.dataDir }))
  return {
    async measure(round) {
      const options = { scenario, round, unit: 'posts' }
      const results = await measureRequests(run, serverOf(run), { ...options, ...posts })
      if (baseline) {
        const subject = { name: ONE_COMMIT, url: baseline.url, usage: baseline.usage }
        results.push(...(await measureRequests(run, subject, { ...options, tokens: [], steps: [BASELINE_POST] })))
      }
      return results
    },
    close: () => Promise.resolve(baseline?.close()),
  }
}

/** Also measured on remote servers. */
const ANYBODYS = 100

const posting = (followers: number, goals: readonly Goal[] = []): Scenario => {
  const name = `posting-${followers}`
  return {
    name,
    summary: `posting by authors with ${followers.toLocaleString('en')} followers each`,
    needs: followers === ANYBODYS ? 'people' : 'local',
    group: 'posting',
    goals,
    requests: run => postsBy(run, followers),
    open: run => openPosting(run, name, followers),
  }
}

async function openFamous(run: Run): Promise<Opened> {
  const { target, options } = run
  const author = target.authors.toSorted((a, b) => b.followers - a.followers)[0]
  if (!author) throw new Error('there is no author with many followers')
  if (author.followers < 100_000) run.warn(`${FAMOUS}: the author has only ${author.followers} followers (--followers)`)
  return {
    async measure(round) {
      run.progress(`${FAMOUS}, round ${round} of ${options.repeat} …`)
      const load = startLoad<FeedLoad, FeedOutcome>('feeds')
      try {
        const order = {
          url: target.url,
          author: author.token,
          followers: target.people.slice(0, author.followers),
          posts: options.seconds,
          connections: options.connections,
          waitMs: WAIT_MS,
        }
        const { value, figures, ...usage } = await observe(serverOf(run), () => load.ask(order))
        checkLoad(run, FAMOUS, value.cpu)
        const { answers, errors, lost, everywhereMs, cpu } = value
        const measured = { errors, lost, everywhere: median(everywhereMs), loadCpu: cpu, ...latencyFigures([answers]) }
        return [
          { scenario: FAMOUS, subject: SERVER, round, unit: 'posts', figures: { ...measured, ...figures }, ...usage },
        ]
      } finally {
        load.close()
      }
    },
    close: () => Promise.resolve(),
  }
}

const FAMOUS = 'posting-100000'

const famous: Scenario = {
  name: FAMOUS,
  summary: 'a post by an author with 100,000 followers: the response, and when all active home feeds have it',
  needs: 'local',
  group: 'posting',
  goals: [
    { scenario: FAMOUS, text: 'answered in under 20 ms', subject: SERVER, figure: 'p50', max: 20 },
    {
      scenario: FAMOUS,
      text: 'in all active home feeds within 5 s',
      subject: SERVER,
      figure: 'everywhere',
      max: 5000,
    },
  ],
  open: openFamous,
}

/** Measures requests without a baseline. */
function openRequests(run: Run, plan: { scenario: string; unit?: string }, requests: Requests): Opened {
  return {
    measure: round => measureRequests(run, serverOf(run), { ...plan, round, ...requests }),
    close: () => Promise.resolve(),
  }
}

const MENTIONED = 60

/** Each mentions three of some users, so that no one's rows are all that is written. */
async function postsWithMentions(run: Run): Promise<Requests> {
  const { url, people } = run.target
  const names = (await forEach(people.slice(0, MENTIONED), token => whois(url, token))).map(({ username }) => username)
  const steps = names.map((name, at) => {
    const others = [names[(at + 7) % names.length] ?? name, names[(at + 19) % names.length] ?? name]
    const status = `@${name} @${others.join(' @')} a post like many others, number NUMBER`
    return { ...POST, body: JSON.stringify({ status, visibility: 'public', language: 'en' }) }
  })
  return { tokens: authorsOf(run, ANYBODYS), steps }
}

const MENTIONS = 'posting-mentions'

const mentions: Scenario = {
  name: MENTIONS,
  summary: 'posting by authors with 100 followers each, with three mentions',
  needs: 'people',
  group: 'posting',
  goals: [],
  requests: postsWithMentions,
  open: async run => openRequests(run, { scenario: MENTIONS, unit: 'posts' }, await postsWithMentions(run)),
}

async function favouritesOfOne({ target: { url, people } }: Run): Promise<Requests> {
  const body = { status: 'Everybody likes this', visibility: 'public' }
  const [author = '', ...others] = people
  const { id } = await askFor('status', { url, token: author, method: 'POST', path: '/api/v1/statuses', body })
  // Accounts that block the author, or are blocked, may not favourite the post.
  const tokens = await findFollowers(url, await whois(url, author), others)
  const steps = ['favourite', 'unfavourite'].map(what => ({ method: 'POST', path: `/api/v1/statuses/${id}/${what}` }))
  return { tokens, steps }
}

const favourites: Scenario = {
  name: 'favourites',
  summary: 'many users favourite and unfavourite one status',
  needs: 'people',
  group: 'posting',
  goals: [],
  requests: favouritesOfOne,
  open: async run => openRequests(run, { scenario: 'favourites' }, await favouritesOfOne(run)),
}

export const writes: readonly Scenario[] = [
  posting(10),
  posting(100, [
    { scenario: 'posting-100', text: 'at least 1,500 accepted a second', subject: SERVER, figure: 'rate', min: 1500 },
  ]),
  posting(1000),
  mentions,
  famous,
  favourites,
]
