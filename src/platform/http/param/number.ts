import type { Value } from '../tree.ts'
import {
  ABSENT,
  define,
  elementsOf,
  type Options,
  type Outcome,
  type Param,
  type ParseContext,
  type INVALID,
  textOf,
} from './declare.ts'
import type { Schema } from './schema.ts'

/** The range of PostgreSQL's `integer`, so that larger values never reach it. */
const MIN_VALUE = -2147483648
const MAX_VALUE = 2147483647
/** So large that no list has as many, and the sum with a limit is still an `integer`. */
const MAX_OFFSET = 1_000_000_000
const FALSE = new Set(['false', '0', 'f', 'F', 'FALSE', 'off', 'OFF'])

/**
 * A boolean: the usual forms of false (`FALSE`) are false, any other value is true. An empty string
 * counts as absent.
 */
export function boolean<const O extends Options<boolean> = object>(options?: O): Param<Outcome<boolean, O>> {
  return define<boolean, O>((options ?? {}) as O, { type: 'boolean' }, (value, place) => {
    if (typeof value === 'boolean') return value
    const text = textOf(value)
    if (text === undefined) return place.refuseInvalid()
    return text === '' ? ABSENT : !FALSE.has(text)
  })
}

export interface IntegerOptions extends Options<number> {
  /** The minimum, default -2147483648. A smaller value is a 422. */
  min?: number
  /** The maximum, default 2147483647. A larger value is a 422. */
  max?: number
}

/**
 * An integer read from its leading digits: `12abc` is 12, `abc` is 0. An empty string counts as
 * absent.
 */
export function integer<const O extends IntegerOptions = object>(options?: O): Param<Outcome<number, O>> {
  const declared: IntegerOptions = options ?? {}
  const { min = MIN_VALUE, max = MAX_VALUE } = declared
  return define<number, O>(declared as O, describeRange(min, max), (value, place) => {
    if (value === '') return ABSENT
    const number = leadingInteger(value)
    return number === undefined ? place.refuseInvalid() : withinRange(number, min, max, place)
  })
}

export interface IntegersOptions extends Options<readonly number[]> {
  /** The minimum of each, as for `integer`. */
  min?: number
  /** The maximum of each, as for `integer`. */
  max?: number
}

/**
 * A list of integers. Each must be an integer as a whole, since an invalid one must not become
 * another.
 */
export function integers<const O extends IntegersOptions = object>(options?: O): Param<Outcome<readonly number[], O>> {
  const declared: IntegersOptions = options ?? {}
  const { min = MIN_VALUE, max = MAX_VALUE } = declared
  const schema: Schema = { type: 'array', items: describeRange(min, max) }
  return define<readonly number[], O>(declared as O, schema, (value, place) => {
    const elements = elementsOf(value)
    if (elements === ABSENT) return ABSENT
    const numbers = elements?.map(wholeInteger)
    if (!numbers?.every(number => number >= min && number <= max)) return place.refuseInvalid()
    return numbers
  })
}

/**
 * The number of elements on a page: the absolute value, at most `max` (by default twice the
 * default); 0 stays 0. Absent or empty means the default.
 */
export function limit(usual: number, max = usual * 2, options: Pick<Options, 'description'> = {}): Param<number> {
  const declared = { ...options, default: usual }
  const schema: Schema = { type: 'integer', minimum: 0, maximum: max }
  return define<number, { default: number }>(declared, schema, (value, place) => {
    if (value === '') return ABSENT
    const number = leadingInteger(value)
    return number === undefined ? place.refuseInvalid() : Math.min(Math.abs(number), max)
  })
}

/**
 * The number of elements to skip: 0 if absent, empty or negative, since only the search of
 * `/api/v2/search` refuses negative ones (conventions.md §1). Beyond the end a list is empty.
 */
export function offset(): Param<number> {
  return define<number, { default: number }>({ default: 0 }, { type: 'integer', minimum: 0 }, (value, place) => {
    if (value === '') return ABSENT
    const number = leadingInteger(value)
    return number === undefined ? place.refuseInvalid() : Math.min(Math.max(number, 0), MAX_OFFSET)
  })
}

const describeRange = (min: number, max: number): Schema => ({
  type: 'integer',
  ...(min !== MIN_VALUE && { minimum: min }),
  ...(max !== MAX_VALUE && { maximum: max }),
})

function withinRange(number: number, min: number, max: number, place: ParseContext): number | typeof INVALID {
  if (number < min) return place.refuse('ERR_OUT_OF_RANGE', `must be greater than or equal to ${min}`)
  if (number > max) return place.refuse('ERR_OUT_OF_RANGE', `must be less than or equal to ${max}`)
  return number
}

function leadingInteger(value: NonNullable<Value>): number | undefined {
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value !== 'string') return undefined
  return Number(/^\s*([+-]?[0-9]+)/.exec(value)?.[1] ?? 0)
}

function wholeInteger(value: Value): number {
  const text = typeof value === 'boolean' ? undefined : textOf(value)
  return text !== undefined && /^-?[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
}
