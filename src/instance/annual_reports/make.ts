import { randomBytes } from 'node:crypto'
import { finishRefresh, runningRefresh, startRefresh, type Refresh } from '../async_refreshes/index.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { enqueue, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { idsOfYear } from './campaign.ts'

const createReport = query(
  'instance/annual_reports/create',
  { account: c.id, year: c.integer, first: c.id, end: c.id, share_key: c.text },
  { events: c.events },
)

interface Subject {
  readonly account: Id
  readonly year: number
}

const SHARE_KEY_BYTES = 8

/** The key of the running job. */
export const keyOf = ({ account, year }: Subject): string => `annual_report:${account}:${year}`

/** Generates the report of a year and notifies the account. Repeating it changes nothing. */
export const makeReport = job<Subject, Services>('annual_reports:make', parseSubject, (subject, { database }) =>
  database.transaction(async transaction => {
    const share_key = randomBytes(SHARE_KEY_BYTES).toString('hex')
    await transaction.run(createReport, { ...subject, ...idsOfYear(subject.year), share_key })
    await finishRefresh(transaction, keyOf(subject))
  }),
)

/** Enqueues the report unless it is being generated. */
export const orderReport = (database: Database, subject: Subject): Promise<Refresh | undefined> =>
  database.transaction(async transaction => {
    const started = await startRefresh(transaction, keyOf(subject))
    if (started === undefined) return runningRefresh(transaction, keyOf(subject))
    await enqueue(transaction, makeReport, subject)
    return started
  })

function parseSubject(payload: unknown): Subject {
  const given = typeof payload === 'object' && payload !== null ? payload : {}
  const account = 'account' in given && typeof given.account === 'string' ? parseId(given.account) : undefined
  const year =
    'year' in given && typeof given.year === 'number' && Number.isInteger(given.year) ? given.year : undefined
  if (account === undefined || year === undefined) throw new Error('the payload has no account or year')
  return { account, year }
}
