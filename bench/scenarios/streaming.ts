import { startCeiling } from './ceilings.ts'
import { findAudience, giveRules, whois } from '../load/audience.ts'
import { startLoad, type LoadProcess } from '../load/child.ts'
import { createPoster, type Poster } from '../load/poster.ts'
import { reportOf, type SocketAnswer } from '../load/sockets.ts'
import type { Result } from '../report.ts'
import type { Scenario, Stage } from '../scenarios.ts'
import type { Target } from '../target.ts'

const STREAM = 'public'
const WAIT_MS = 10_000
/** Posts under way at once while the rate is measured: enough to keep the sender busy, whatever a post costs by itself. */
const AT_ONCE = 8
const TEXT = 'one status to many sockets'
/** Of how many viewers one has blocks, mutes and filters. */
const RULES_EACH = 10

interface Run {
  stage: Stage
  subject: string
  at: Pick<Target, 'url' | 'usage'>
  tokens: readonly string[]
  sockets: number
}

interface Hall {
  holder: LoadProcess
  poster: Poster
  sockets: number
}

/** Posts a few statuses, each when the one before has reached every socket and not more than `rate` a second: how long it takes. */
async function measureLatency({ stage }: Run, { holder, poster, sockets }: Hall): Promise<number> {
  let posted = 0
  const endsAt = performance.now() + stage.seconds * 1000
  for (const startedAt = performance.now(); performance.now() < endsAt;) {
    await poster.post(TEXT)
    posted += 1
    await holder.ask<SocketAnswer>({ expect: posted * sockets, waitMs: WAIT_MS })
    const pauseMs = startedAt + (posted * 1000) / stage.rate - performance.now()
    if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  return posted
}

/** Posts as fast as the sockets hear of it: how many messages a second arrive. */
async function measureRate({ stage }: Run, { holder, poster, sockets }: Hall): Promise<{ posted: number; ms: number }> {
  let posted = 0
  const startedAt = performance.now()
  const endsAt = startedAt + stage.seconds * 1000
  while (performance.now() < endsAt) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => poster.post(TEXT)))
    posted += AT_ONCE
    await holder.ask<SocketAnswer>({ expect: posted * sockets, waitMs: WAIT_MS })
  }
  return { posted, ms: performance.now() - startedAt }
}

async function deliver(run: Run): Promise<Result> {
  const { stage, subject, at, tokens, sockets } = run
  const { url } = at
  stage.progress(`streaming: ${subject}, ${sockets} sockets, round ${stage.round} …`)
  const holder = startLoad('sockets')
  const poster = createPoster(url, stage.target.tokens[0] ?? '', AT_ONCE)
  try {
    await holder.ask<SocketAnswer>({ open: { url, stream: STREAM, tokens, sockets } })
    const hall = { holder, poster, sockets }
    const single = await measureLatency(run, hall)
    const slow = reportOf(await holder.ask<SocketAnswer>({ take: true }))
    const before = await at.usage()
    const { posted, ms } = await measureRate(run, hall)
    const after = await at.usage()
    const fast = reportOf(await holder.ask<SocketAnswer>({ finish: true }))
    return {
      scenario: `a status to ${sockets} sockets`,
      subject,
      round: stage.round,
      unit: 'messages',
      rate: fast.received / (ms / 1000),
      latency: slow.latency,
      errors: 0,
      lost: (single + posted) * sockets - slow.received - fast.received,
      loadCpu: fast.cpuSeconds / (ms / 1000),
      serverCpu: before && after ? (after.cpuSeconds - before.cpuSeconds) / (ms / 1000) : undefined,
      serverMemoryBytes: after?.memoryBytes,
    }
  } finally {
    await poster.close()
    holder.close()
  }
}

const SIZES = [100, 1000, 5000]

/** The frame of a status, with MARK where the time of posting goes, for the ceiling to publish. */
async function sampleFrame(url: string, token: string): Promise<string> {
  const poster = createPoster(url, token, 1)
  const entity = (await poster.post(TEXT)).replaceAll(/bench-\d+- [^<"]*/g, 'MARK')
  await poster.close()
  return JSON.stringify({ stream: [STREAM], event: 'update', payload: entity })
}

/** A tenth of the readers gets rules; of the last two one is blocked and one muted. */
async function giveSomeRules(url: string, readers: readonly string[], shunned: readonly string[]): Promise<void> {
  const others = await Promise.all(shunned.map(token => whois(url, token)))
  const some = readers.filter((_, index) => index % RULES_EACH === 0)
  await giveRules(url, some, others)
}

export const streaming: Scenario = {
  name: 'streaming',
  summary:
    'one public status to many signed-in sockets, a tenth of them with rules of their own: time and messages a second',
  async measure(stage) {
    const { url, tokens } = stage.target
    const [author = '', ...others] = tokens
    const readers = await findAudience(url, await whois(url, author), others)
    const sizes = SIZES.filter(size => size <= stage.sockets)
    if (!sizes.includes(stage.sockets)) sizes.push(stage.sockets)
    const ceiling = await startCeiling('{}', await sampleFrame(url, author), undefined)
    const results: Result[] = []
    const run = async (subject: string, at: Run['at'], by: readonly string[]): Promise<void> => {
      for (const sockets of sizes) results.push(await deliver({ stage, subject, at, tokens: by, sockets }))
    }
    try {
      await run('bare publish', ceiling, [''])
      const half = Math.ceil(readers.length / 2)
      await run('server', stage.target, readers.slice(0, half))
      if (stage.target.dataDir === undefined) return results
      const mixed = readers.slice(half, -2)
      if (stage.round === 1) await giveSomeRules(url, mixed, readers.slice(-2))
      await run('server, a tenth with rules', stage.target, mixed)
      return results
    } finally {
      ceiling.close()
    }
  },
}
