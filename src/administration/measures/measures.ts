import { ApiError } from '../../core/errors.ts'
import { humanSize } from '../../core/human_size.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createFigureCache } from './figure_cache.ts'
import { type Day, parseDay, listDays, monthsBefore, type Period, previousPeriod, formatDay, today } from './period.ts'

const periodColumns = { first: c.date, last: c.date } as const
const localDaysQuery = query(
  'administration/measures/local_days',
  { counters: c.texts, ...periodColumns },
  { counter: c.text, day: c.date, amount: c.bigint },
)
const distinctUsersQuery = query(
  'administration/measures/distinct_users',
  { first: c.date, end: c.date },
  { users: c.bigint },
)
const instanceDaysQuery = query(
  'administration/measures/instance_days',
  { counters: c.texts, domain: c.text, below: c.boolean, ...periodColumns },
  { day: c.nullable(c.date), amount: c.bigint },
)
const tagDaysQuery = query(
  'administration/measures/tag_days',
  { tag: c.id, ...periodColumns },
  { day: c.date, uses: c.bigint, accounts: c.bigint, first_uses: c.bigint },
)
const tagServerDaysQuery = query(
  'administration/measures/tag_server_days',
  { tag: c.id, ...periodColumns },
  { day: c.nullable(c.date), servers: c.bigint, counted: c.bigint },
)
const tagQuery = query('administration/measures/tag_exists', { tag: c.id }, { id: c.id })

/** Figures of activity go back this far. */
const ACTIVITY_MONTHS = 6
const TAG_DAYS = 14

/** Daily figures, and their sum or the number of distinct users, accounts or servers. */
interface Series {
  readonly days: ReadonlyMap<Day, number>
  readonly total: number
  /** The total of the previous period of the same length; undefined if it is not shown. */
  readonly previous?: number
  /** The number of counters read; undefined if they are few. */
  readonly rows?: number
}

/** The hashtag or domain of a measure that needs one. */
export interface Subject {
  readonly tag?: Id | undefined
  readonly domain?: string | undefined
  /** Whether subdomains are included. */
  readonly below?: boolean | undefined
}

/** The entity Admin::Measure. */
export interface Measure {
  readonly key: MeasureKey
  readonly unit: 'bytes' | null
  readonly total: string
  readonly human_value?: string
  readonly previous_total?: string
  readonly data: readonly { readonly date: string; readonly value: string }[]
}

type ReadSeries = (services: Services, period: Period, subject: Subject) => Promise<Series>

const firstRetainedDay = (): Day => monthsBefore(today(), ACTIVITY_MONTHS)

/** The sum of all days except the last. */
function sumBeforeLast(days: ReadonlyMap<Day, number>, { first, last }: Period): number {
  let sum = 0
  for (const [day, value] of days) if (day >= first && day < last) sum += value
  return sum
}

/** The days of each counter. */
type Counters = ReadonlyMap<string, ReadonlyMap<Day, number>>

async function readCounters(database: Database, counters: string[], { first, last }: Period): Promise<Counters> {
  const rows = await database.run(localDaysQuery, { counters, first: formatDay(first), last: formatDay(last) })
  const days = ({ day, amount }: (typeof rows)[number]): [Day, number] => [parseDay(day), Number(amount)]
  return new Map(
    Array.from(
      Map.groupBy(rows, row => row.counter),
      ([counter, counterRows]) => [counter, new Map(counterRows.map(days))],
    ),
  )
}

/** Reads the days of counters; concurrent reads of one period share one statement. */
const readDays = perServer(({ database }: Services) => {
  const batches = new Map<string, { readonly counters: Set<string>; readonly days: Promise<Counters> }>()
  const openBatch = (name: string, period: Period) => {
    const counters = new Set<string>()
    const days = Promise.resolve().then(() => {
      batches.delete(name)
      return readCounters(database, [...counters], period)
    })
    const batch = { counters, days }
    batches.set(name, batch)
    return batch
  }
  return async (counter: string, period: Period): Promise<ReadonlyMap<Day, number>> => {
    const name = `${period.first} ${period.last}`
    const { counters, days } = batches.get(name) ?? openBatch(name, period)
    counters.add(counter)
    return (await days).get(counter) ?? new Map()
  }
})

/** The series of a counter of the whole server. */
const localSeries =
  (counter: string, earliest: () => Day = () => -Infinity): ReadSeries =>
  async (services, period) => {
    const before = previousPeriod(period)
    const days = await readDays(services)(counter, { first: Math.max(before.first, earliest()), last: period.last })
    return { days, total: sumBeforeLast(days, period), previous: sumBeforeLast(days, before) }
  }

async function countDistinctUsers(database: Database, { first, last }: Period): Promise<number> {
  const from = Math.max(first, firstRetainedDay())
  if (last <= from) return 0
  return Number((await database.one(distinctUsersQuery, { first: formatDay(from), end: formatDay(last) }))?.users ?? 0)
}

const activeUsers: ReadSeries = async (services, period) => {
  const { database } = services
  const before = previousPeriod(period)
  const [days, total, previous] = await Promise.all([
    // The days of the previous period are not used here, but this read is shared with other
    // counters.
    readDays(services)('active_users', { first: Math.max(before.first, firstRetainedDay()), last: period.last }),
    countDistinctUsers(database, period),
    countDistinctUsers(database, before),
  ])
  return { days, total, previous }
}

/** Separates rows by day from the row without a day, which has the total. */
function splitTotal<T extends { day: string | null }>(rows: readonly T[], valueOf: (row: T) => string): Series {
  const days = new Map<Day, number>()
  let total = 0
  for (const row of rows) {
    if (row.day === null) total = Number(valueOf(row))
    else days.set(parseDay(row.day), Number(valueOf(row)))
  }
  return { days, total }
}

const withPrevious = async (read: (period: Period) => Promise<Series>, period: Period): Promise<Series> => {
  const [current, before] = await Promise.all([read(period), read(previousPeriod(period))])
  return { ...current, previous: before.total, rows: (current.rows ?? 0) + (before.rows ?? 0) }
}

const EMPTY_SERIES: Series = { days: new Map(), total: 0 }

async function requireTag(database: Database, tag: Id | undefined): Promise<Id> {
  const row = tag === undefined ? undefined : await database.one(tagQuery, { tag })
  if (!row) throw new ApiError('notFound')
  return row.id
}

/** @param totalColumn the column summed for the total: `first_uses` counts each account once */
const tagSeries =
  (column: 'uses' | 'accounts', totalColumn: 'uses' | 'first_uses'): ReadSeries =>
  async ({ database }, period, subject) => {
    const tag = await requireTag(database, subject.tag)
    return withPrevious(async ({ first, last }) => {
      const from = Math.max(first, today() - TAG_DAYS + 1)
      if (last < from) return EMPTY_SERIES
      const rows = await database.run(tagDaysQuery, { tag, first: formatDay(from), last: formatDay(last) })
      const days = new Map(rows.map(row => [parseDay(row.day), Number(row[column])]))
      return { days, total: rows.reduce((sum, row) => sum + Number(row[totalColumn]), 0) }
    }, period)
  }

const tagServers: ReadSeries = async ({ database }, period, subject) => {
  const tag = await requireTag(database, subject.tag)
  return withPrevious(async ({ first, last }) => {
    const rows = await database.run(tagServerDaysQuery, { tag, first: formatDay(first), last: formatDay(last) })
    return { ...splitTotal(rows, row => row.servers), rows: Number(rows.find(({ day }) => day === null)?.counted ?? 0) }
  }, period)
}

/** The series of a domain's counters; the total covers all time. */
const instanceSeries =
  (...counters: string[]): ReadSeries =>
  async ({ database }, { first, last }, { domain = '', below = false }) => {
    const parameters = { counters, domain, below, first: formatDay(first), last: formatDay(last) }
    const { days, total } = splitTotal(await database.run(instanceDaysQuery, parameters), row => row.amount)
    return { days, total: [...days.values()].reduce((sum, value) => sum + value, total) }
  }

interface Definition {
  readonly read: ReadSeries
  /** Whether the dates are rendered with a time. */
  readonly time?: true
  readonly unit?: 'bytes'
}

const DEFINITIONS = {
  active_users: { read: activeUsers, time: true },
  new_users: { read: localSeries('sign_ups') },
  interactions: { read: localSeries('interactions', firstRetainedDay), time: true },
  opened_reports: { read: localSeries('reports') },
  resolved_reports: { read: localSeries('resolved_reports') },
  tag_accounts: { read: tagSeries('accounts', 'first_uses'), time: true },
  tag_uses: { read: tagSeries('uses', 'uses'), time: true },
  tag_servers: { read: tagServers },
  instance_accounts: { read: instanceSeries('accounts') },
  instance_media_attachments: { read: instanceSeries('media_bytes'), unit: 'bytes' },
  instance_reports: { read: instanceSeries('reports') },
  instance_statuses: { read: instanceSeries('statuses', 'deleted_statuses') },
  instance_follows: { read: instanceSeries('follows') },
  instance_followers: { read: instanceSeries('followers') },
} as const satisfies Record<string, Definition>

export type MeasureKey = keyof typeof DEFINITIONS

export const isMeasureKey = (key: string): key is MeasureKey => Object.hasOwn(DEFINITIONS, key)

const seriesCache = perServer(() => createFigureCache<Series>())

/** Reads a figure by day, and its totals. @throws ApiError notFound for an unknown hashtag */
export async function readMeasure(
  services: Services,
  key: MeasureKey,
  period: Period,
  subject: Subject = {},
): Promise<Measure> {
  const { read, time, unit }: Definition = DEFINITIONS[key]
  const name = JSON.stringify([key, period.first, period.last, subject.tag, subject.domain, subject.below])
  const { days, total, previous } = await seriesCache(services)(name, async () => {
    const value = await read(services, period, subject)
    return { value, rows: value.rows ?? 0 }
  })
  return {
    key,
    unit: unit ?? null,
    total: String(total),
    ...(unit && { human_value: humanSize(total) }),
    ...(previous !== undefined && { previous_total: String(previous) }),
    data: listDays(period).map(day => ({
      date: time ? `${formatDay(day)}T00:00:00Z` : formatDay(day),
      value: String(days.get(day) ?? 0),
    })),
  }
}
