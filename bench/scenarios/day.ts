import { createHash } from 'node:crypto'
import { startLoad, type LoadProcess } from '../load/child.ts'
import type { DayLoad, DayOrder, DayOutcome } from '../load/day.ts'
import { DAY_S, HOT_HOUR } from '../load/day_plan.ts'
import type { Outcome } from '../load/count.ts'
import { latencyFigures } from '../load/latency.ts'
import { checkLoad, observe, SERVER, serverOf } from '../measure.ts'
import type { Figures } from '../report/figures.ts'
import type { Result, Sample } from '../report/report.ts'
import type { Run, Scenario } from '../scenario.ts'
import type { Options } from '../options.ts'
import type { LocalServer } from '../target/target.ts'
import { serverMemory, watchMemory } from './memory.ts'

const NAME = 'day'
const DATABASE = 'PostgreSQL'
const PUSH_WAIT_MS = 60_000
const HOUR_S = 3600
/** The load process may be this late in one of a hundred cases. */
const LATE_MS = 50

/** The people of the tokens, and those whose home streams have their posts. */
const FOLLOWERS = `
  with people as (
    select p.number - 1 as number, u.account_id
    from unnest($1::bytea[]) with ordinality p (token_hash, number)
    join oauth_tokens t on t.token_hash = p.token_hash
    join users u on u.id = t.user_id
  )
  select author.number::integer as author, array_agg(reader.number::integer) as readers
  from people author
  join follows f on f.target_account_id = author.account_id and f.languages is null
  join people reader on reader.account_id = f.account_id
  where not exists (select from blocks b where (b.account_id, b.target_account_id) in
      ((author.account_id, reader.account_id), (reader.account_id, author.account_id)))
    and not exists (select from mutes m where m.account_id = reader.account_id and m.target_account_id = author.account_id)
    and not exists (select from lists l join list_accounts a on a.list_id = l.id
      where l.account_id = reader.account_id and l.exclusive and a.account_id = author.account_id)
  group by author.number`

/** Those of the tokens whose users may use them: of seeded users some wait for approval. */
const ACTIVE = `
  select p.number::integer - 1 as number
  from unnest($1::bytea[]) with ordinality p (token_hash, number)
  join oauth_tokens t on t.token_hash = p.token_hash
  join users u on u.id = t.user_id
  join accounts a on a.id = u.account_id
  where u.approved and not u.disabled and u.confirmed_at is not null and a.suspended_at is null
  order by p.number`

const hashesOf = (tokens: readonly string[]): Buffer[] =>
  tokens.map(token => createHash('sha256').update(token).digest())

async function findActive(local: LocalServer, tokens: readonly string[]): Promise<string[]> {
  const rows = await local.run(ACTIVE, [hashesOf(tokens)])
  return rows.flatMap(({ number }) => tokens[Number(number)] ?? [])
}

async function findReaders(local: LocalServer, tokens: readonly string[]): Promise<number[][]> {
  const readers = tokens.map((_, person) => [person])
  for (const { author, readers: others } of await local.run(FOLLOWERS, [hashesOf(tokens)]))
    readers[Number(author)]?.push(...(others as number[]))
  return readers
}

/** Messages that the push service must receive for what happened since a time. */
const PUSHES = `
  select count(*)::integer as pushes
  from notifications n
  join users u on u.account_id = n.account_id
  join push_subscriptions s on s.user_id = u.id
  where n.id > $1 and n.created_at > s.created_at and wants_push(s, n.account_id, n.from_account_id, n.type)`

const lastNotification = async (local: LocalServer): Promise<unknown> =>
  (await local.run('select coalesce(max(id), 0) as id from notifications'))[0]?.['id']

/** What the push service did not receive. */
async function missingPushes(
  local: LocalServer,
  load: LoadProcess<DayOrder, DayOutcome>,
  since: unknown,
  before: number,
): Promise<{ expected: number; missing: number }> {
  const [row] = await local.run(PUSHES, [since])
  const expected = Number(row?.['pushes'])
  const { pushes } = await load.ask({ settlePushes: { expected: before + expected, waitMs: PUSH_WAIT_MS } })
  return { expected, missing: before + expected - pushes }
}

/** Seconds of the day. */
function partOfDay({ hours, seconds, speed }: Options): { from: number; until: number } {
  if (hours) return { from: hours.from * HOUR_S, until: hours.until * HOUR_S }
  const from = HOT_HOUR * HOUR_S
  return { from, until: Math.min(DAY_S, from + seconds * speed) }
}

const figuresOf = ({ requests, errors, latencies }: Outcome, seconds: number): Figures => ({
  rate: requests / seconds,
  errors,
  ...latencyFigures([latencies]),
})

/** The figures of each kind of request, and of posts at sockets. */
function partsOf({ byLabel, posts, seconds }: DayOutcome): Pick<Result, 'subject' | 'unit' | 'figures'>[] {
  const requests = Object.entries(byLabel)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, outcome]) => ({ label, unit: 'requests', outcome }))
  return [...requests, { label: 'a post at a stream', unit: 'messages', outcome: posts }]
    .filter(({ outcome }) => outcome.requests > 0)
    .map(({ label, unit, outcome }) => ({
      subject: `${SERVER}: ${label}`,
      unit,
      figures: figuresOf(outcome, seconds),
    }))
}

const most = (samples: readonly Sample[]): number => Math.max(0, ...samples.map(({ megabytes }) => megabytes))

/** The most memory that both had at about the same time. */
const mostTogether = (server: readonly Sample[], database: readonly Sample[]): number =>
  Math.max(0, ...server.map(({ megabytes }, index) => megabytes + (database[index]?.megabytes ?? 0)))

function checkOutcome(run: Run, outcome: DayOutcome, figures: Figures): void {
  checkLoad(run, NAME, outcome.cpu, figures)
  for (const failure of outcome.failures) run.warn(`${NAME}: ${failure}`)
  if (outcome.ended > 0) run.warn(`${NAME}: the server ended a stream ${outcome.ended} times, which then resumed`)
  const { p99 = 0 } = latencyFigures([outcome.lateness])
  if (p99 > LATE_MS)
    run.warn(`${NAME}: the load process was ${Math.round(p99)} ms late in one of a hundred cases, which counts`)
}

export const day: Scenario = {
  name: NAME,
  summary: 'a day of a community of --people, or the --hours of it, --speed times as fast (20), with memory over time',
  needs: 'local',
  group: 'day',
  receives: true,
  goals: [
    { scenario: NAME, text: 'no failed request', subject: SERVER, figure: 'errors', max: 0 },
    { scenario: NAME, text: 'no post or push lost', subject: SERVER, figure: 'lost', max: 0 },
    { scenario: NAME, text: 'no post twice', subject: SERVER, figure: 'twice', max: 0 },
    { scenario: NAME, text: 'with PostgreSQL within 1 GB', subject: SERVER, figure: 'together', max: 1024 },
  ],
  async open(run) {
    const { target, options } = run
    const { local, url } = target
    if (!local) throw new Error('it needs a server of its own')
    // Those of an earlier run have a port that nobody listens on any more.
    await local.run('delete from push_subscriptions')
    const tokens = await findActive(local, target.people)
    const followers = await findReaders(local, tokens)
    const load = startLoad<DayOrder, DayOutcome>('day')
    const part = partOfDay(options)
    const seconds = options.warmup + (part.until - part.from) / options.speed
    let pushed = 0
    return {
      async measure(round): Promise<Result[]> {
        run.progress(`${NAME}, round ${round} of ${options.repeat}: ${Math.round(seconds)} s …`)
        const since = await lastNotification(local)
        const watches = [watchMemory(serverMemory(run), seconds), watchMemory(() => local.databaseMemory(), seconds)]
        const live: DayLoad = {
          url,
          tokens,
          followers,
          ...part,
          seed: `${NAME}-${round}`,
          speed: options.speed,
          warmupMs: options.warmup * 1000,
        }
        const { value, figures, ...usage } = await observe(serverOf(run), () => load.ask({ live }))
        const [server = [], database = []] = watches.map(stop => stop())
        checkOutcome(run, value, figures)
        const { expected, missing } = await missingPushes(local, load, since, pushed)
        pushed += expected
        const { lost, twice, cpu } = value
        if (missing > 0) run.warn(`${NAME}: ${missing} of ${expected} push messages are missing`)
        const memory = { databaseMemory: most(database), together: mostTogether(server, database) }
        const whole = { lost: lost + Math.abs(missing), twice, loadCpu: cpu, ...figures, ...memory }
        const common = { scenario: NAME, round, unit: 'requests' }
        return [
          {
            ...common,
            subject: SERVER,
            figures: { ...figuresOf(value.all, value.seconds), ...whole },
            memory: server,
            ...usage,
          },
          { ...common, subject: DATABASE, figures: { databaseMemory: most(database) }, memory: database },
          ...partsOf(value).map(part => ({ ...common, ...part })),
        ]
      },
      close: () => Promise.resolve(load.close()),
    }
  },
}
