import { setTimeout as delay } from 'node:timers/promises'
import { BARE_PUBLISH, startBaseline } from '../baseline/baseline.ts'
import type { SocketLoad } from '../load/socket_pool.ts'
import { SERVER, serverOf, type Subject } from '../measure.ts'
import type { Result } from '../report/report.ts'
import type { Scenario, Run } from '../scenario.ts'
import { openSockets } from './socket_pool.ts'

const IDLE = 'idle'
const IDLE_SOCKETS = 10_000
const FIRST_SOCKETS = 500
const LOOK_MS = 500
/** V8 returns unused memory only after 30 to 50 idle seconds. */
const COLLECTED_MS = 60_000

/** The minimum of the memory in a period: memory needed only for opening is collected by then. */
async function settledBytes(subject: Subject, settleMs: number): Promise<number> {
  let smallest = Infinity
  for (const until = performance.now() + settleMs; performance.now() < until; await delay(LOOK_MS))
    smallest = Math.min(smallest, (await subject.usage?.())?.memoryBytes ?? Infinity)
  return smallest
}

/** Sockets beyond the first few, which allocate the memory that all share. */
async function openIdle(run: Run, subject: Subject, tokens: readonly string[], round: number): Promise<Result> {
  const sockets = run.options.sockets ?? IDLE_SOCKETS
  const settleMs = Math.max(run.options.seconds * 1000, COLLECTED_MS)
  run.progress(`${IDLE}: ${sockets} sockets, round ${round}: ${subject.name} …`)
  const load: SocketLoad = {
    url: subject.url,
    stream: 'user',
    tokens,
    sockets: FIRST_SOCKETS,
    event: 'update',
    withIds: false,
  }
  const hall = await openSockets(load)
  try {
    const before = await settledBytes(subject, settleMs)
    const { seconds } = await hall.ask({ open: { ...load, sockets } })
    const after = await settledBytes(subject, settleMs)
    const figures = { rate: sockets / seconds, bytesEach: (after - before) / sockets, memory: after / 2 ** 20 }
    return { scenario: IDLE, subject: subject.name, round, unit: 'sockets opened', figures }
  } finally {
    hall.close()
  }
}

export const idle: Scenario = {
  name: IDLE,
  summary: "10,000 idle streams: the server's resident memory for each, and how fast they open",
  needs: 'local',
  group: 'streaming',
  goals: [{ scenario: IDLE, text: 'an idle stream under 6 KB', subject: SERVER, figure: 'bytesEach', max: 6144 }],
  async open(run) {
    const baseline = await startBaseline({})
    const bare: Subject = { name: BARE_PUBLISH, url: baseline.url, usage: baseline.usage }
    return {
      measure: async round => [
        await openIdle(run, serverOf(run), run.target.people, round),
        await openIdle(run, bare, [''], round),
      ],
      close: () => Promise.resolve(baseline.close()),
    }
  },
}
