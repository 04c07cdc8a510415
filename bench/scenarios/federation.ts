import { setTimeout as delay } from 'node:timers/promises'
import { askFor, whois } from '../api.ts'
import type { SignatureOrder, SignatureOutcome } from '../baseline/signatures.ts'
import { startLoad, type LoadProcess } from '../load/child.ts'
import { hostAddress, type FederationLoad, type FederationOutcome, type PreparedActivity } from '../load/federation.ts'
import { latencyFigures } from '../load/latency.ts'
import type { RequestLoad, RequestOutcome } from '../load/requests.ts'
import { observe, SERVER, serverOf, type Subject } from '../measure.ts'
import type { Goal } from '../report/goals.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Run, Scenario } from '../scenario.ts'
import { openLocalTarget } from '../target/local.ts'
import type { LocalServer } from '../target/target.ts'
import { usageOf } from '../target/usage.ts'
import { HOME } from './reads.ts'

/**
 * Exchange with other servers: what comes in, and what goes out, with home timelines read at the
 * same time. The other servers are one process with many loopback addresses.
 */

const IN = 'federation-in'
const OUT = 'federation-out'
const IN_HOSTS = 200
const SIZES = [200, 1000]
const IN_TARGET = 500
const OUT_TARGET = 300
/** Activities a second while home timelines are measured. */
const STEADY = 100
const LOOK_MS = 50
const WAIT_MS = 300_000
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
/** Home timelines read each second beside it. */
const HOME_RATE = 100
const HOME_CONNECTIONS = 4
const READERS = 10

type Peers = LoadProcess<FederationLoad, FederationOutcome>

interface Stage {
  readonly run: Run
  readonly local: LocalServer
  readonly peers: Peers
  readonly port: number
  readonly publicKeyPem: string
}

const context = '"@context":["https://www.w3.org/ns/activitystreams","https://w3id.org/security/v1"]'

/** More than the activities of a host in a round, so that it likes and boosts none twice. */
const LIKED = 61

/**
 * A mix of what servers send: of 20 activities 8 Creates, 6 Likes, 4 Announces, 2 Deletes of the
 * oldest posts.
 */
function mixed(count: number, mark: string, statuses: readonly string[], mentioned: string): PreparedActivity[] {
  const created: number[] = []
  return Array.from({ length: count }, (_, number) => {
    const host = number % IN_HOSTS
    const turn = Math.floor(number / IN_HOSTS)
    const id = `ACTOR/${mark}/${number}`
    const local = statuses[(host + turn) % statuses.length] ?? ''
    const kind = (host + turn) % 20
    const head = `${context},"id":"${id}/activity","actor":"ACTOR"`
    const addressed = `"to":["${PUBLIC}"],"cc":["ACTOR/followers"]`
    if (kind < 8) {
      created.push(number)
      const answers = kind < 2
      const tag = answers ? `,"inReplyTo":"${local}","tag":[{"type":"Mention","href":"${mentioned}"}]` : ''
      const content = `<p>A post of another server, number ${number}, with a few more words in it</p>`
      const note = `{"id":"${id}","type":"Note","attributedTo":"ACTOR","published":"${new Date().toISOString()}","content":"${content}",${addressed}${tag}}`
      return { host, body: `{${head},"type":"Create",${addressed},"object":${note}}` }
    }
    if (kind < 14) return { host, body: `{${head},"type":"Like","object":"${local}"}` }
    const old = kind < 18 ? undefined : created.shift()
    if (old === undefined) return { host, body: `{${head},"type":"Announce",${addressed},"object":"${local}"}` }
    const object = `{"id":"ACTOR/${mark}/${old}","type":"Tombstone"}`
    return { host: old % IN_HOSTS, body: `{${head},"type":"Delete","to":["${PUBLIC}"],"object":${object}}` }
  })
}

const LEFT = `
  select count(*)::integer as left from graphile_worker.jobs j
  where j.task_identifier in ('federation.receive', 'federation.receive_lane', 'federation.send_status', 'federation.deliver')`

async function untilProcessed({ local }: Pick<Stage, 'local'>): Promise<void> {
  const until = performance.now() + WAIT_MS
  while (performance.now() < until) {
    const [row] = await local.run(LEFT)
    if (row?.['left'] === 0) return
    await delay(LOOK_MS)
  }
  throw new Error('not everything was processed')
}

/** Home timelines read at a steady rate, beside other work. */
async function readHome(
  { run }: Stage,
  scenario: string,
  subject: string,
  round: number,
  work: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Result> {
  const generator = startLoad<RequestLoad, RequestOutcome>('requests')
  const { seconds } = run.options
  try {
    const reading = generator.ask({
      url: run.target.url,
      tokens: run.target.readers,
      steps: [{ path: HOME }],
      order: 'turns',
      connections: HOME_CONNECTIONS,
      ratePerSecond: HOME_RATE,
      warmupMs: 0,
      measureMs: seconds * 1000,
    })
    const { value, figures } = await observe(serverOf(run), async () => {
      const [{ all }] = await Promise.all([reading, work()])
      return all
    })
    const { requests, errors, latencies } = value
    const rate = (requests - errors) / seconds
    const measured = { rate, errors, ...latencyFigures([latencies]), ...figures }
    return { scenario, subject, round, unit: 'requests', figures: measured }
  } finally {
    generator.close()
  }
}

/** The rate of work, and the processor seconds of server and database for a thousand. */
async function measureWork(
  subject: Subject,
  work: () => Promise<unknown>,
  count: number,
  about: { scenario: string; round: number; unit: string },
): Promise<Result> {
  const startedAt = performance.now()
  const { figures, statements } = await observe(subject, work)
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = ((figures.serverCpu ?? 0) + (figures.databaseCpu ?? 0)) * seconds
  const cpuPerThousand = (cpu / count) * 1000
  const measured = { rate: count / seconds, cpuPerThousand, ...figures }
  return { ...about, subject: subject.name, figures: measured, ...(statements && { statements }) }
}

const CEILING = { check: 'a signature checked, one row', sign: 'a signature made, one row' } as const
const CEILING_COUNT = 3000

async function measureCeiling(
  { local }: Stage,
  what: SignatureOrder['what'],
  about: { scenario: string; round: number; unit: string },
): Promise<Result> {
  const child = startLoad<SignatureOrder, SignatureOutcome>('../baseline/signatures')
  try {
    const work = (count: number) => () => child.ask({ dataDir: local.dataDir, what, count })
    await work(100)()
    const usage = () => usageOf(child.pid)
    const subject = { name: CEILING[what], url: '', usage, databaseUse: () => local.databaseUse() }
    return await measureWork(subject, work(CEILING_COUNT), CEILING_COUNT, about)
  } finally {
    child.close()
  }
}

async function openStage(
  run: Run,
  authors: readonly number[],
): Promise<{ stage: Stage; authors: string[]; close(): Promise<void> }> {
  const { options } = run
  const { accounts, statuses, workers, profile } = options
  const size = { accounts, statuses, people: READERS, authors, readers: READERS, following: READERS, replies: 0 }
  const dataDir = options.data === undefined ? undefined : `${options.data}-federation`
  const target = await openLocalTarget(size, { dataDir, workers, profile, federates: true }, text => run.progress(text))
  const peers = startLoad<FederationLoad, FederationOutcome>('federation')
  const close = async (): Promise<void> => {
    peers.close()
    await target.close()
  }
  try {
    if (!target.local) throw new Error('there is no local server')
    const { port, publicKeyPem } = await peers.ask({ listen: { hosts: IN_HOSTS } })
    const stage = { run: { ...run, target }, local: target.local, peers, port, publicKeyPem }
    return { stage, authors: target.authors.map(({ token }) => token), close }
  } catch (error) {
    await close()
    throw error
  }
}

const post = (url: string, token: string, text: string) =>
  askFor('status', {
    url,
    token,
    method: 'POST',
    path: '/api/v1/statuses',
    body: { status: text, visibility: 'public', language: 'en' },
  })

/** Every host's actor is known and followed from here, and its key is kept. */
async function introduce({ run, local, peers, port }: Stage, inbox: string, status: string): Promise<void> {
  const like = `{${context},"id":"ACTOR/first","type":"Like","actor":"ACTOR","object":"${status}"}`
  const activities = Array.from({ length: IN_HOSTS }, (_, host) => ({ host, body: like }))
  await peers.ask({ sign: { inbox, activities } })
  const { errors } = await peers.ask({ send: { connections: 8 } })
  if (errors > 0) throw new Error(`${errors} first activities were refused`)
  await untilProcessed({ local })
  const [row] = await local.run(
    'select count(*)::integer as known from accounts a where a.domain is not null and a.uri like $1',
    [`%:${port}/actor`],
  )
  if (row?.['known'] !== IN_HOSTS) throw new Error(`${String(row?.['known'])} of ${IN_HOSTS} actors are known`)
  const ids = await Promise.all(run.target.readers.map(async token => (await whois(run.target.url, token)).id))
  await local.run(
    `insert into follows (account_id, target_account_id)
     select r.id, a.id from unnest($1::bigint[]) r (id) cross join accounts a where a.uri like $2
     on conflict do nothing`,
    [ids, `%:${port}/actor`],
  )
}

async function openIn(run: Run): Promise<Opened> {
  const { stage, authors, close } = await openStage(run, [10, 10, 10, 10])
  try {
    const { url } = stage.run.target
    const inbox = `${url}/inbox`
    const author = await whois(url, authors[0] ?? '')
    const mentioned = `${url}/ap/users/${author.id}`
    const makeStatuses = async (amount: number): Promise<string[]> => {
      const made = []
      for (let number = 0; number < amount; number += 1) {
        const token = authors[number % authors.length] ?? ''
        const [{ id }, { id: owner }] = [await post(url, token, `Local post ${number}`), await whois(url, token)]
        made.push(`${url}/ap/users/${owner}/statuses/${id}`)
      }
      return made
    }
    const [first = ''] = await makeStatuses(1)
    await introduce(stage, inbox, first)
    const receive = async (mark: string, amount: number, ratePerSecond?: number): Promise<() => Promise<void>> => {
      const statuses = await makeStatuses(LIKED)
      await stage.peers.ask({ sign: { inbox, activities: mixed(amount, mark, statuses, mentioned) } })
      await untilProcessed(stage)
      return async () => {
        const { errors } = await stage.peers.ask({ send: { connections: 16, ...(ratePerSecond && { ratePerSecond }) } })
        if (errors > 0) run.warn(`${IN}: ${errors} activities were refused`)
        await untilProcessed(stage)
      }
    }
    return {
      async measure(round) {
        run.progress(`${IN}, round ${round} of ${run.options.repeat} …`)
        const about = { scenario: IN, round, unit: 'activities' }
        const alone = await readHome(stage, IN, 'home alone', round)
        const amount = run.options.seconds * IN_TARGET
        const flood = await receive(`flood${round}`, amount)
        const flooded = await measureWork(serverOf(stage.run), flood, amount, about)
        const steady = await receive(`steady${round}`, run.options.seconds * STEADY, STEADY)
        const beside = await readHome(stage, IN, `home beside ${STEADY} activities a second`, round, steady)
        return [flooded, await measureCeiling(stage, 'check', about), alone, beside]
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Stores an actor of each host that follows the author. */
const FOLLOWERS = `
  with made as (
    insert into accounts (username, domain, uri, inbox_url, shared_inbox_url, followers_url, fetched_at)
    select 'actor' || $4::text, h.host, 'http://' || h.host || '/' || $4 || '/actor', 'http://' || h.host || '/' || $4 || '/inbox',
      'http://' || h.host || '/inbox', 'http://' || h.host || '/' || $4 || '/followers', now()
    from (select a.address || ':' || $2::text as host from unnest($1::text[]) a (address)) h
    returning id
  ), counted as (
    insert into account_stats (account_id) select m.id from made m
  )
  insert into follows (account_id, target_account_id) select m.id, $3::bigint from made m`

async function openOut(run: Run): Promise<Opened> {
  const { stage, authors, close } = await openStage(
    run,
    SIZES.map(() => 10),
  )
  const { url } = stage.run.target
  try {
    for (const [index, hosts] of SIZES.entries()) {
      const { id } = await whois(url, authors[index] ?? '')
      const addresses = Array.from({ length: hosts }, (_, host) => hostAddress(host))
      await stage.local.run(FOLLOWERS, [addresses, stage.port, id, `of${hosts}`])
    }
    const send = (index: number, posts: number, hosts: number) => async (): Promise<void> => {
      const deliveries = stage.peers.ask({ deliveries: { expected: posts * hosts, waitMs: WAIT_MS } })
      for (let number = 0; number < posts; number += 1)
        await post(url, authors[index] ?? '', `A post, number ${number}`)
      const { delivered } = await deliveries
      await untilProcessed(stage)
      if (delivered !== posts * hosts) run.warn(`${OUT}: ${delivered} of ${posts * hosts} deliveries came`)
    }
    for (const [index, hosts] of SIZES.entries()) await send(index, 1, hosts)()
    return {
      async measure(round) {
        run.progress(`${OUT}, round ${round} of ${run.options.repeat} …`)
        const results = [await readHome(stage, OUT, 'home alone', round)]
        for (const [index, hosts] of SIZES.entries()) {
          const posts = Math.ceil((run.options.seconds * OUT_TARGET) / hosts)
          const about = { scenario: `${OUT}, ${hosts} hosts`, round, unit: 'deliveries' }
          results.push(await measureWork(serverOf(stage.run), send(index, posts, hosts), posts * hosts, about))
          results.push(
            await readHome(stage, OUT, `home beside posts to ${hosts} hosts`, round, send(index, posts, hosts)),
          )
        }
        results.push(await measureCeiling(stage, 'sign', { scenario: OUT, round, unit: 'deliveries' }))
        return results
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const homeGoal = (scenario: string, subject: string): Goal => ({
  scenario,
  text: 'the p99 of home timelines at most doubled',
  subject,
  figure: 'p99',
  of: { subject: 'home alone' },
  max: 2,
})

const incoming: Scenario = {
  name: IN,
  summary: `a mix of activities from ${IN_HOSTS} hosts, with signatures checked, and home timelines beside it`,
  needs: 'itself',
  group: 'federation',
  goals: [
    {
      scenario: IN,
      text: `at least ${IN_TARGET} activities a second`,
      subject: SERVER,
      figure: 'rate',
      min: IN_TARGET,
    },
    homeGoal(IN, `home beside ${STEADY} activities a second`),
  ],
  open: openIn,
}

const outgoing: Scenario = {
  name: OUT,
  summary: `posts to followers on ${SIZES.join(' and ')} hosts, and home timelines beside it`,
  needs: 'itself',
  group: 'federation',
  goals: SIZES.flatMap(hosts => [
    {
      scenario: `${OUT}, ${hosts} hosts`,
      text: `at least ${OUT_TARGET} deliveries a second`,
      subject: SERVER,
      figure: 'rate',
      min: OUT_TARGET,
    } as const,
    homeGoal(OUT, `home beside posts to ${hosts} hosts`),
  ]),
  open: openOut,
}

export const federation: readonly Scenario[] = [incoming, outgoing]
