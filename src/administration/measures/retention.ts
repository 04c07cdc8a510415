import { c, query } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createFigureCache, type CountedFigure } from './figure_cache.ts'
import {
  type Day,
  parseDay,
  listDays,
  startOfMonth,
  monthsBefore,
  startOfNextMonth,
  type Period,
  formatDay,
} from './period.ts'

const cohortsQuery = query(
  'administration/measures/cohorts',
  { frequency: c.text, first: c.date, last: c.date },
  { signed_up: c.date, signed_in: c.nullable(c.date), users: c.bigint, counted: c.bigint },
)

export type Frequency = 'day' | 'month'

const MAX_DAYS = 31
const MAX_MONTHS = 12

/** The entity Admin::Cohort. */
interface Cohort {
  readonly period: string
  readonly frequency: Frequency
  readonly data: readonly { readonly date: string; readonly rate: number; readonly value: string }[]
}

/** A cohort and its number of users. */
export interface SizedCohort {
  readonly cohort: Cohort
  readonly size: number
}

/** The first days of the cohorts from the first to the last, at most a month or a year back. */
function cohortStarts({ first, last }: Period, frequency: Frequency): Day[] {
  if (frequency === 'day') return listDays({ first: Math.max(first, last - MAX_DAYS), last })
  const starts: Day[] = []
  let month = startOfMonth(Math.max(first, monthsBefore(last, MAX_MONTHS)))
  for (; month <= last; month = startOfNextMonth(month)) starts.push(month)
  return starts
}

/**
 * Reads the users by the day or month of their sign-up, and how many of them signed in at or after
 * the start of each later day or month.
 */
export function readRetention(
  services: Services,
  period: Period,
  frequency: Frequency,
): Promise<readonly SizedCohort[]> {
  const name = JSON.stringify([frequency, period.first, period.last])
  return cohortCache(services)(name, () => countCohorts(services, period, frequency))
}

const cohortCache = perServer(() => createFigureCache<readonly SizedCohort[]>())

async function countCohorts(
  { database }: Services,
  period: Period,
  frequency: Frequency,
): Promise<CountedFigure<readonly SizedCohort[]>> {
  const starts = cohortStarts(period, frequency)
  const [first] = starts
  const last = starts.at(-1)
  if (first === undefined || last === undefined) return { value: [], rows: 0 }
  const end = frequency === 'day' ? last : startOfNextMonth(last) - 1
  const rows = await database.run(cohortsQuery, { frequency, first: formatDay(first), last: formatDay(end) })
  const byStart = Map.groupBy(rows, row => parseDay(row.signed_up))
  const time = (day: Day): string => `${formatDay(day)}T00:00:00Z`
  const value = starts.map((start, index) => {
    const users = (byStart.get(start) ?? []).map(row => ({
      signedIn: row.signed_in === null ? undefined : parseDay(row.signed_in),
      number: Number(row.users),
    }))
    const size = users.reduce((sum, { number }) => sum + number, 0)
    const data = starts.slice(index).map(date => {
      const retained = users.reduce(
        (sum, { signedIn, number }) => (signedIn !== undefined && signedIn >= date ? sum + number : sum),
        0,
      )
      return { date: time(date), rate: retained / Math.max(size, 1), value: String(retained) }
    })
    return { cohort: { period: time(start), frequency, data }, size }
  })
  return { value, rows: Number(rows[0]?.counted ?? 0) }
}
