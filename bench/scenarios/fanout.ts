import { askForText, forEach, giveRules, whois } from '../api.ts'
import { BARE_PUBLISH, PUBLISH_AFTER_COMMIT, startBaseline, type Baseline } from '../baseline/baseline.ts'
import { observe, SERVER, serverOf, type Subject } from '../measure.ts'
import type { Goal } from '../report/goals.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Scenario, Run } from '../scenario.ts'
import { findListeners, messageFigures, openSockets, TEXT } from './socket_pool.ts'

/**
 * Simultaneous posts while the rate is measured: enough to keep the sender busy, whatever a post
 * costs.
 */
const AT_ONCE = 8
/** Posts per second while latency is measured: few, so that none waits for the previous one. */
const PACE = 5
/** One in this many viewers has blocks, mutes and filters. */
const RULES_EACH = 10
const WAIT_MS = 15_000
const SIZES = [100, 1000, 5000]
const WITH_RULES = 'server, a tenth with rules'

interface Delivery {
  readonly scenario: string
  readonly subject: Subject
  readonly stream: string
  readonly author: string
  readonly listeners: readonly string[]
  readonly sockets: number
  readonly round: number
}

/**
 * Opens the sockets; a few posts measure the latency, then as many as possible measure the rate.
 */
async function deliver(run: Run, delivery: Delivery): Promise<Result> {
  const { scenario, subject, stream, author, listeners: tokens, sockets, round } = delivery
  const { options } = run
  const { url } = subject
  run.progress(`${scenario}, round ${round} of ${options.repeat}: ${subject.name} …`)
  const hall = await openSockets({ url, stream, tokens, sockets, event: 'update', withIds: false })
  try {
    const post = {
      url,
      token: author,
      texts: [TEXT],
      visibility: 'public',
      audience: sockets,
      waitMs: WAIT_MS,
    } as const
    const ratePerSecond = options.rate ?? PACE
    // The first posts warm up both sides.
    await hall.post({ ...post, measureMs: Math.max(500, options.warmup * 1000), pace: { atOnce: AT_ONCE } })
    const measureMs = options.seconds * 1000
    const slow = await hall.post({ ...post, measureMs, pace: { ratePerSecond } })
    const fast = await observe(subject, () => hall.post({ ...post, measureMs, pace: { atOnce: AT_ONCE } }))
    const { rate = 0, loadCpu = 0 } = messageFigures(run, `${scenario}, ${subject.name}`, fast.value)
    const latency = messageFigures(run, `${scenario}, ${subject.name}`, slow)
    const alone = slow.delivery === undefined ? {} : { delivery: slow.delivery }
    const sums = { errors: slow.errors + fast.value.errors, lost: slow.lost + fast.value.lost }
    const figures = { ...latency, ...alone, rate, loadCpu, ...sums, ...fast.figures }
    return { scenario, subject: subject.name, round, unit: 'messages', figures }
  } finally {
    hall.close()
  }
}

/** The frame of a status, with MARK in place of its text, for the baseline to publish. */
async function sampleFrame(url: string, token: string): Promise<string> {
  const sample = 'bench-1234567890123-12345-'
  const body = { status: TEXT.replace('MARK', sample), visibility: 'public', language: 'en' }
  const entity = await askForText({ url, token, method: 'POST', path: '/api/v1/statuses', body })
  return JSON.stringify({ stream: ['public'], event: 'update', payload: entity.replaceAll(body.status, 'MARK') })
}

const sizesOf = ({ options }: Run, sizes: readonly number[]): readonly number[] =>
  options.sockets === undefined ? sizes : [options.sockets]

async function openPublic(run: Run): Promise<Opened> {
  const { target } = run
  const { url, local } = target
  const { author, tokens: hearing } = await findListeners(run)
  const half = local ? Math.ceil(hearing.length / 2) : hearing.length
  const plain = hearing.slice(0, half)
  const ruled = hearing.slice(half, -2)
  if (local) await giveSomeRules(url, ruled, hearing.slice(-2))
  const frame = await sampleFrame(url, author)
  const bare = await startBaseline({ frame })
  const behind = local && (await startBaseline({ frame, dataDir: local.dataDir, commitsFirst: true }))
  const subjects: { subject: Subject; listeners: readonly string[] }[] = [
    { subject: serverOf(run), listeners: plain },
    { subject: baselineOf(bare, BARE_PUBLISH), listeners: [''] },
    ...(ruled.length > 0 ? [{ subject: serverOf(run, WITH_RULES), listeners: ruled }] : []),
    ...(behind ? [{ subject: baselineOf(behind, PUBLISH_AFTER_COMMIT), listeners: [''] }] : []),
  ]
  return {
    async measure(round) {
      const results: Result[] = []
      for (const sockets of sizesOf(run, SIZES)) {
        const common = { scenario: `fanout-public, ${sockets} sockets`, stream: 'public', author, sockets, round }
        for (const each of subjects) results.push(await deliver(run, { ...common, ...each }))
      }
      return results
    },
    close() {
      bare.close()
      behind?.close()
      return Promise.resolve()
    },
  }
}

const baselineOf = ({ url, usage }: Baseline, name: string): Subject => ({ name, url, usage })

/** A tenth of the readers gets rules; of the last two one is blocked and one muted. */
async function giveSomeRules(url: string, readers: readonly string[], shunned: readonly string[]): Promise<void> {
  const others = await forEach(shunned, token => whois(url, token))
  const some = readers.filter((_, index) => index % RULES_EACH === 0)
  await giveRules(url, some, others)
}

const publicGoals = (subject: string): Goal[] =>
  SIZES.flatMap((sockets): Goal[] => {
    const scenario = `fanout-public, ${sockets} sockets`
    const whose = subject === SERVER ? '' : ', a tenth of the viewers with rules'
    const of = { subject: BARE_PUBLISH }
    return [
      {
        scenario,
        text: `at least 50 % of the messages a second of bare publish${whose}`,
        subject,
        figure: 'rate',
        of,
        min: 0.5,
      },
      { scenario, text: `the same while one status is delivered${whose}`, subject, figure: 'delivery', of, min: 0.5 },
      { scenario, text: `p50 at most twice that of bare publish${whose}`, subject, figure: 'p50', of, max: 2 },
      { scenario, text: `p99 at most twice that of bare publish${whose}`, subject, figure: 'p99', of, max: 2 },
    ]
  })

export const fanoutPublic: Scenario = {
  name: 'fanout-public',
  summary:
    'public statuses to 100, 1,000 and 5,000 signed-in sockets, also with a tenth of the viewers under blocks, mutes and filters',
  needs: 'people',
  group: 'streaming',
  goals: [...publicGoals(SERVER), ...publicGoals(WITH_RULES)],
  open: openPublic,
}

const HOME_SIZES = [100, 1000]

export const fanoutHome: Scenario = {
  name: 'fanout-home',
  summary: 'statuses to the home streams of 100 and 1,000 followers',
  needs: 'local',
  group: 'streaming',
  goals: [],
  async open(run) {
    const { people } = run.target
    const author = run.target.authors.find(({ followers }) => followers >= people.length)
    if (!author) throw new Error(`there is no author with ${people.length} followers`)
    const frame = await sampleFrame(run.target.url, author.token)
    const bare = await startBaseline({ frame })
    return {
      async measure(round) {
        const results: Result[] = []
        for (const sockets of sizesOf(run, HOME_SIZES)) {
          const common = { scenario: `fanout-home, ${sockets} sockets`, author: author.token, sockets, round }
          const server = { subject: serverOf(run), stream: 'user', listeners: people }
          const baseline = { subject: baselineOf(bare, BARE_PUBLISH), stream: 'public', listeners: [''] }
          for (const each of [server, baseline]) results.push(await deliver(run, { ...common, ...each }))
        }
        return results
      },
      close: () => Promise.resolve(bare.close()),
    }
  },
}
