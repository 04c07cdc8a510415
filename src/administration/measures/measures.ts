import { ApiError } from '../../core/errors.ts'
import { humanSize } from '../../core/human_size.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createKept } from './kept.ts'
import { type Day, dayOf, daysOf, monthsBefore, type Period, previousOf, textOf, today } from './period.ts'

const period = { first: c.date, last: c.date } as const
const localDays = query(
  'administration/measures/local_days',
  { counters: c.texts, ...period },
  { counter: c.text, day: c.date, amount: c.bigint },
)
const distinctUsers = query(
  'administration/measures/distinct_users',
  { first: c.date, end: c.date },
  { users: c.bigint },
)
const instanceDays = query(
  'administration/measures/instance_days',
  { counters: c.texts, domain: c.text, below: c.boolean, ...period },
  { day: c.nullable(c.date), amount: c.bigint },
)
const tagDays = query(
  'administration/measures/tag_days',
  { tag: c.id, ...period },
  { day: c.date, uses: c.bigint, accounts: c.bigint, first_uses: c.bigint },
)
const tagServerDays = query(
  'administration/measures/tag_server_days',
  { tag: c.id, ...period },
  { day: c.nullable(c.date), servers: c.bigint, counted: c.bigint },
)
const tagExists = query('administration/measures/tag_exists', { tag: c.id }, { id: c.id })

/** How long figures of activity are shown. */
const ACTIVITY_MONTHS = 6
const TAG_DAYS = 14

/** Daily figures, and their sum or number of distinct things. */
interface Series {
  readonly days: ReadonlyMap<Day, number>
  readonly total: number
  /** Of the period of the same length before; undefined where it is not shown. */
  readonly previous?: number
  /** The number of counters that they were read from; undefined for few. */
  readonly rows?: number
}

/** A hashtag or a domain, for the measures that are about one. */
export interface Subject {
  readonly tag?: Id | undefined
  readonly domain?: string | undefined
  /** Also of all subdomains. */
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

type Read = (services: Services, period: Period, subject: Subject) => Promise<Series>

const keptFrom = (): Day => monthsBefore(today(), ACTIVITY_MONTHS)

/** The sum of all days but the last. */
function sumOf(days: ReadonlyMap<Day, number>, { first, last }: Period): number {
  let sum = 0
  for (const [day, value] of days) if (day >= first && day < last) sum += value
  return sum
}

/** The days of each counter. */
type Counters = ReadonlyMap<string, ReadonlyMap<Day, number>>

async function readCounters(database: Database, counters: string[], { first, last }: Period): Promise<Counters> {
  const rows = await database.run(localDays, { counters, first: textOf(first), last: textOf(last) })
  const days = ({ day, amount }: (typeof rows)[number]): [Day, number] => [dayOf(day), Number(amount)]
  return new Map(
    Array.from(
      Map.groupBy(rows, row => row.counter),
      ([counter, found]) => [counter, new Map(found.map(days))],
    ),
  )
}

/** Reads the days of counters; those of one period that are asked for at once, in one statement. */
const readDays = perServer(({ database }: Services) => {
  const groups = new Map<string, { readonly counters: Set<string>; readonly days: Promise<Counters> }>()
  const open = (name: string, asked: Period) => {
    const counters = new Set<string>()
    const days = Promise.resolve().then(() => {
      groups.delete(name)
      return readCounters(database, [...counters], asked)
    })
    const group = { counters, days }
    groups.set(name, group)
    return group
  }
  return async (counter: string, asked: Period): Promise<ReadonlyMap<Day, number>> => {
    const name = `${asked.first} ${asked.last}`
    const { counters, days } = groups.get(name) ?? open(name, asked)
    counters.add(counter)
    return (await days).get(counter) ?? new Map()
  }
})

/** The counter of the whole server. */
const local =
  (counter: string, earliest: () => Day = () => -Infinity): Read =>
  async (services, asked) => {
    const before = previousOf(asked)
    const days = await readDays(services)(counter, { first: Math.max(before.first, earliest()), last: asked.last })
    return { days, total: sumOf(days, asked), previous: sumOf(days, before) }
  }

async function readDistinct(database: Database, { first, last }: Period): Promise<number> {
  const from = Math.max(first, keptFrom())
  if (last <= from) return 0
  return Number((await database.one(distinctUsers, { first: textOf(from), end: textOf(last) }))?.users ?? 0)
}

const activeUsers: Read = async (services, asked) => {
  const { database } = services
  const before = previousOf(asked)
  const [days, total, previous] = await Promise.all([
    // The days before are not shown, but those of other counters are read with them.
    readDays(services)('active_users', { first: Math.max(before.first, keptFrom()), last: asked.last }),
    readDistinct(database, asked),
    readDistinct(database, before),
  ])
  return { days, total, previous }
}

/** Splits rows by day from the row without a day. */
function split<T extends { day: string | null }>(rows: readonly T[], valueOf: (row: T) => string): Series {
  const days = new Map<Day, number>()
  let rest = 0
  for (const row of rows) {
    if (row.day === null) rest = Number(valueOf(row))
    else days.set(dayOf(row.day), Number(valueOf(row)))
  }
  return { days, total: rest }
}

const withPrevious = async (read: (period: Period) => Promise<Series>, asked: Period): Promise<Series> => {
  const [shown, before] = await Promise.all([read(asked), read(previousOf(asked))])
  return { ...shown, previous: before.total, rows: (shown.rows ?? 0) + (before.rows ?? 0) }
}

const NOTHING: Series = { days: new Map(), total: 0 }

async function knownTag(database: Database, tag: Id | undefined): Promise<Id> {
  const row = tag === undefined ? undefined : await database.one(tagExists, { tag })
  if (!row) throw new ApiError('notFound')
  return row.id
}

/** @param summed what the total is the sum of: each account counts once in it */
const tagUse =
  (column: 'uses' | 'accounts', summed: 'uses' | 'first_uses'): Read =>
  async ({ database }, asked, subject) => {
    const tag = await knownTag(database, subject.tag)
    return withPrevious(async ({ first, last }) => {
      const from = Math.max(first, today() - TAG_DAYS + 1)
      if (last < from) return NOTHING
      const rows = await database.run(tagDays, { tag, first: textOf(from), last: textOf(last) })
      const days = new Map(rows.map(row => [dayOf(row.day), Number(row[column])]))
      return { days, total: rows.reduce((sum, row) => sum + Number(row[summed]), 0) }
    }, asked)
  }

const tagServers: Read = async ({ database }, asked, subject) => {
  const tag = await knownTag(database, subject.tag)
  return withPrevious(async ({ first, last }) => {
    const rows = await database.run(tagServerDays, { tag, first: textOf(first), last: textOf(last) })
    return { ...split(rows, row => row.servers), rows: Number(rows.find(({ day }) => day === null)?.counted ?? 0) }
  }, asked)
}

/** The counters of a domain; the total is that of all time. */
const ofInstance =
  (...counters: string[]): Read =>
  async ({ database }, { first, last }, { domain = '', below = false }) => {
    const asked = { counters, domain, below, first: textOf(first), last: textOf(last) }
    const { days, total } = split(await database.run(instanceDays, asked), row => row.amount)
    return { days, total: [...days.values()].reduce((sum, value) => sum + value, total) }
  }

interface Definition {
  readonly read: Read
  /** The dates have a time. */
  readonly time?: true
  readonly unit?: 'bytes'
}

const DEFINITIONS = {
  active_users: { read: activeUsers, time: true },
  new_users: { read: local('sign_ups') },
  interactions: { read: local('interactions', keptFrom), time: true },
  opened_reports: { read: local('reports') },
  resolved_reports: { read: local('resolved_reports') },
  tag_accounts: { read: tagUse('accounts', 'first_uses'), time: true },
  tag_uses: { read: tagUse('uses', 'uses'), time: true },
  tag_servers: { read: tagServers },
  instance_accounts: { read: ofInstance('accounts') },
  instance_media_attachments: { read: ofInstance('media_bytes'), unit: 'bytes' },
  instance_reports: { read: ofInstance('reports') },
  instance_statuses: { read: ofInstance('statuses', 'deleted_statuses') },
  instance_follows: { read: ofInstance('follows') },
  instance_followers: { read: ofInstance('followers') },
} as const satisfies Record<string, Definition>

export type MeasureKey = keyof typeof DEFINITIONS

export const isMeasureKey = (key: string): key is MeasureKey => Object.hasOwn(DEFINITIONS, key)

const keptSeries = perServer(() => createKept<Series>())

/** A figure by day, and its totals. @throws ApiError notFound for an unknown hashtag */
export async function measure(
  services: Services,
  key: MeasureKey,
  asked: Period,
  subject: Subject = {},
): Promise<Measure> {
  const { read, time, unit }: Definition = DEFINITIONS[key]
  const name = JSON.stringify([key, asked.first, asked.last, subject.tag, subject.domain, subject.below])
  const { days, total, previous } = await keptSeries(services)(name, async () => {
    const value = await read(services, asked, subject)
    return { value, rows: value.rows ?? 0 }
  })
  return {
    key,
    unit: unit ?? null,
    total: String(total),
    ...(unit && { human_value: humanSize(total) }),
    ...(previous !== undefined && { previous_total: String(previous) }),
    data: daysOf(asked).map(day => ({
      date: time ? `${textOf(day)}T00:00:00Z` : textOf(day),
      value: String(days.get(day) ?? 0),
    })),
  }
}
