import { c, query } from '../../platform/database/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createKept, type Counted } from './kept.ts'
import { type Day, dayOf, daysOf, monthOf, monthsBefore, nextMonth, type Period, textOf } from './period.ts'

const cohorts = query(
  'administration/measures/cohorts',
  { frequency: c.text, first: c.date, last: c.date },
  { signed_up: c.date, signed_in: c.nullable(c.date), users: c.bigint, counted: c.bigint },
)

export type Frequency = 'day' | 'month'

const FURTHEST_DAYS = 31
const FURTHEST_MONTHS = 12

/** The entity Admin::Cohort. */
interface Cohort {
  readonly period: string
  readonly frequency: Frequency
  readonly data: readonly { readonly date: string; readonly rate: number; readonly value: string }[]
}

/** A cohort, and how many users it has. */
export interface SizedCohort {
  readonly cohort: Cohort
  readonly size: number
}

/** The first days of the cohorts from the first to the last, at most a month or a year back. */
function startsOf({ first, last }: Period, frequency: Frequency): Day[] {
  if (frequency === 'day') return daysOf({ first: Math.max(first, last - FURTHEST_DAYS), last })
  const starts: Day[] = []
  let month = monthOf(Math.max(first, monthsBefore(last, FURTHEST_MONTHS)))
  for (; month <= last; month = nextMonth(month)) starts.push(month)
  return starts
}

/**
 * Users by the day or month of their sign-up, and how many of them signed in at or after the start
 * of each later day or month.
 */
export function retention(services: Services, asked: Period, frequency: Frequency): Promise<readonly SizedCohort[]> {
  const name = JSON.stringify([frequency, asked.first, asked.last])
  return kept(services)(name, () => countCohorts(services, asked, frequency))
}

const kept = perServer(() => createKept<readonly SizedCohort[]>())

async function countCohorts(
  { database }: Services,
  asked: Period,
  frequency: Frequency,
): Promise<Counted<readonly SizedCohort[]>> {
  const starts = startsOf(asked, frequency)
  const [first] = starts
  const last = starts.at(-1)
  if (first === undefined || last === undefined) return { value: [], rows: 0 }
  const end = frequency === 'day' ? last : nextMonth(last) - 1
  const rows = await database.run(cohorts, { frequency, first: textOf(first), last: textOf(end) })
  const byStart = Map.groupBy(rows, row => dayOf(row.signed_up))
  const time = (day: Day): string => `${textOf(day)}T00:00:00Z`
  const value = starts.map((start, index) => {
    const users = (byStart.get(start) ?? []).map(row => ({
      signedIn: row.signed_in === null ? undefined : dayOf(row.signed_in),
      number: Number(row.users),
    }))
    const size = users.reduce((sum, { number }) => sum + number, 0)
    const data = starts.slice(index).map(date => {
      const stayed = users.reduce(
        (sum, { signedIn, number }) => (signedIn !== undefined && signedIn >= date ? sum + number : sum),
        0,
      )
      return { date: time(date), rate: stayed / Math.max(size, 1), value: String(stayed) }
    })
    return { cohort: { period: time(start), frequency, data }, size }
  })
  return { value, rows: Number(rows[0]?.counted ?? 0) }
}
