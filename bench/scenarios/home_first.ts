import { createConnection, writeRequest } from '../load/connection.ts'
import { createLatencies, latencyFigures, nowMicroseconds } from '../load/latency.ts'
import { observe, serverOf } from '../measure.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Run, Scenario } from '../scenario.ts'
import { openLocalTarget } from '../target/local.ts'
import { HOME } from './reads.ts'

const NAME = 'home-first'
const ACCOUNTS = 4000
const FOLLOWS = 300
/** Of the accounts, those whose number of follows is nearest to the average. */
const TYPICAL = 1500
/** They read right after the start. */
const EARLY = 200
/** Enough that most requests run compiled code, as on a server that has run for a while. */
const LATER = 1300
const MANY_FOLLOWS = 1000
const MANY = 100
const CONNECTIONS = 4

/** Each of these users reads the home timeline once. */
async function readOnce(run: Run, subject: string, tokens: readonly string[], round: number): Promise<Result> {
  run.progress(`${NAME}, round ${round} of ${run.options.repeat}: ${subject} …`)
  const url = new URL(run.target.url)
  const latencies = createLatencies()
  let errors = 0
  const waiting = tokens.values()

  async function readOn(): Promise<void> {
    const connection = createConnection(url)
    try {
      for (const token of waiting) {
        const sentUs = nowMicroseconds()
        const { status } = await connection.send(writeRequest(url, { method: 'GET', path: HOME, token }))
        latencies.record(nowMicroseconds() - sentUs)
        if (status !== 200) errors += 1
      }
    } finally {
      connection.close()
    }
  }

  const startedAt = performance.now()
  const { figures, statements } = await observe(serverOf(run, subject), () =>
    Promise.all(Array.from({ length: CONNECTIONS }, readOn)),
  )
  const rate = (tokens.length - errors) / ((performance.now() - startedAt) / 1000)
  const cpu = (figures.serverCpu ?? 0) + (figures.databaseCpu ?? 0)
  return {
    scenario: NAME,
    subject,
    round,
    unit: 'requests',
    figures: {
      rate,
      errors,
      ...latencyFigures([latencies.encode()]),
      ...figures,
      ...(cpu > 0 && { perCpu: rate / cpu }),
    },
    ...(statements && { statements }),
  }
}

async function open(run: Run): Promise<Opened> {
  const { options } = run
  const size = {
    accounts: ACCOUNTS,
    statuses: options.statuses,
    people: TYPICAL,
    authors: [],
    readers: MANY,
    following: MANY_FOLLOWS,
    followsPerAccount: FOLLOWS,
    replies: 0,
  }
  const { data, profile, workers } = options
  const dataDir = data === undefined ? undefined : `${data}-first`
  const target = await openLocalTarget(size, { dataDir, workers, profile }, text => run.progress(text))
  const own = { ...run, target }
  return {
    async measure(round) {
      await target.local?.restart(workers)
      return [
        await readOnce(own, `after a restart, ${FOLLOWS} follows`, target.people.slice(0, EARLY), round),
        await readOnce(own, `${FOLLOWS} follows`, target.people.slice(EARLY, EARLY + LATER), round),
        await readOnce(own, `${MANY_FOLLOWS} follows`, target.readers, round),
      ]
    },
    close: () => target.close(),
  }
}

export const homeFirst: Scenario = {
  name: NAME,
  summary: 'home timelines of people who each read once: feeds that are not in memory',
  needs: 'itself',
  group: 'first',
  goals: [],
  open,
}
