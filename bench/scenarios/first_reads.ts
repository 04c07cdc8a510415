import { createConnection, writeRequest } from '../load/connection.ts'
import { createLatencies, latencyFigures, nowMicroseconds } from '../load/latency.ts'
import { observe, serverOf } from '../measure.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Run, Scenario } from '../scenario.ts'
import { openLocalTarget } from '../target/local.ts'
import type { Target } from '../target/target.ts'
import { HOME } from './reads.ts'

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
const NOTIFICATIONS = [
  { subject: 'one by one', path: '/api/v1/notifications?limit=40' },
  { subject: 'in groups', path: '/api/v2/notifications?limit=40' },
] as const

/** A page that people read for the first time. */
interface FirstRead {
  readonly name: string
  readonly path: string
}

/** Each of these users reads the page once. */
async function readOnce(
  run: Run,
  { name, path }: FirstRead,
  { subject, tokens }: { subject: string; tokens: readonly string[] },
  round: number,
): Promise<Result> {
  run.progress(`${name}, round ${round} of ${run.options.repeat}: ${subject} …`)
  const url = new URL(run.target.url)
  const latencies = createLatencies()
  let errors = 0
  const waiting = tokens.values()

  async function readOn(): Promise<void> {
    const connection = createConnection(url)
    try {
      for (const token of waiting) {
        const sentUs = nowMicroseconds()
        const { status } = await connection.send(writeRequest(url, { method: 'GET', path, token }))
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
    scenario: name,
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

/** A server whose people have read nothing yet. */
async function openUnread({ options, progress }: Run): Promise<Target> {
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
  return openLocalTarget(size, { dataDir, workers, profile }, progress)
}

async function openHome(run: Run): Promise<Opened> {
  const target = await openUnread(run)
  const own = { ...run, target }
  const read = { name: 'home-first', path: HOME }
  return {
    async measure(round) {
      await target.local?.restart(run.options.workers)
      const { people, readers } = target
      const parts = [
        { subject: `after a restart, ${FOLLOWS} follows`, tokens: people.slice(0, EARLY) },
        { subject: `${FOLLOWS} follows`, tokens: people.slice(EARLY, EARLY + LATER) },
        { subject: `${MANY_FOLLOWS} follows`, tokens: readers },
      ]
      const results: Result[] = []
      for (const part of parts) results.push(await readOnce(own, read, part, round))
      return results
    },
    close: () => target.close(),
  }
}

async function openNotifications(run: Run): Promise<Opened> {
  const target = await openUnread(run)
  const own = { ...run, target }
  return {
    async measure(round) {
      const results: Result[] = []
      for (const { subject, path } of NOTIFICATIONS) {
        await target.local?.restart(run.options.workers)
        const tokens = target.people.slice(0, EARLY + LATER)
        results.push(await readOnce(own, { name: 'notifications-first', path }, { subject, tokens }, round))
      }
      return results
    },
    close: () => target.close(),
  }
}

export const firstReads: readonly Scenario[] = [
  {
    name: 'home-first',
    summary: 'home timelines of people who each read once: feeds that are not in memory',
    needs: 'itself',
    group: 'first',
    goals: [],
    open: openHome,
  },
  {
    name: 'notifications-first',
    summary: 'notifications of people who each read once, after a restart',
    needs: 'itself',
    group: 'first',
    goals: [],
    open: openNotifications,
  },
]
