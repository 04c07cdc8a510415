import { ApiError } from '../../../core/errors.ts'
import { ABSENT, define, type Options, type Outcome, type Param, textOf } from './declare.ts'

export interface DateOptions<T> extends Options<T> {
  /**
   * The effect of text that is no date: 422 `Invalid date supplied`, 422 `Record invalid`, or 404.
   * Default `refuse`.
   */
  invalid?: 'refuse' | 'recordInvalid' | 'notFound'
}

export interface DayOptions extends DateOptions<string> {
  /** A moment in ISO 8601 counts as its written day, in any zone. */
  withTime?: boolean
}

const DAY = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const DAY_CHARACTERS = 10
const DOTTED = /^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})$/
const TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)? ?(UTC|[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/

/** A day as `YYYY-MM-DD`; `DD.MM.YYYY` is accepted too. An empty string counts as absent. */
export function date<const O extends DayOptions = object>(options?: O): Param<Outcome<string, O>> {
  const declared: DayOptions = options ?? {}
  return define<string, O>(declared as O, { type: 'string', format: 'date' }, value => {
    const text = textOf(value)?.trim()
    if (text === '') return ABSENT
    const dayText = declared.withTime && text !== undefined && parseMoment(text) ? text.slice(0, DAY_CHARACTERS) : text
    const day = dayText === undefined ? undefined : parseDay(dayText)
    if (day === undefined) throw failureFor(declared)
    return day
  })
}

/**
 * A moment in ISO 8601, in UTC by default; a day means its midnight. An empty string counts as
 * absent.
 */
export function datetime<const O extends DateOptions<Date> = object>(options?: O): Param<Outcome<Date, O>> {
  const declared: DateOptions<Date> = options ?? {}
  return define<Date, O>(declared as O, { type: 'string', format: 'date-time' }, value => {
    const text = textOf(value)?.trim()
    if (text === '') return ABSENT
    const moment = text === undefined ? undefined : parseMoment(text)
    if (moment === undefined) throw failureFor(declared)
    return moment
  })
}

function failureFor({ invalid }: DateOptions<unknown>): ApiError {
  if (invalid === 'recordInvalid') return new ApiError('validation', { message: 'Record invalid' })
  return new ApiError(invalid === 'notFound' ? 'notFound' : 'invalidDate')
}

function parseDay(text: string): string | undefined {
  const dotted = DOTTED.exec(text)
  const day = dotted ? `${dotted[3]}-${dotted[2]?.padStart(2, '0')}-${dotted[1]?.padStart(2, '0')}` : text
  if (!DAY.test(day) || day.startsWith('0000')) return undefined
  // Date parses February 30 as March 1: only a day that is printed back unchanged is valid.
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : undefined
}

function parseMoment(text: string): Date | undefined {
  const [, date = '', hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = TIME.exec(text) ?? []
  const day = parseDay(date)
  if (day === undefined) return undefined
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z'
  const moment = new Date(`${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999
    ? undefined
    : moment
}
