import { ApiError } from '../../../core/errors.ts'
import { type Id, parseId } from '../../../core/id.ts'
import type { Value } from '../tree.ts'
import { ABSENT, define, elementsOf, type Options, type Outcome, type Param, textOf } from './declare.ts'
import type { Schema } from './schema.ts'

const SCHEMA: Schema = { type: 'string', pattern: '^[0-9]+$' }
const MAX_SIZE = 9223372036854775807n

export interface IdOptions extends Options<Id> {
  /**
   * The effect of a malformed id: `notFound` is a 404, `missing` counts as absent. Default
   * `notFound`.
   */
  invalid?: 'notFound' | 'missing'
  /** The message of the 404 for a malformed id. */
  message?: string
}

/**
 * The id of a record: a decimal number from 1 to 2^63-1. Blank counts as absent; a required id that
 * is absent is a 404.
 * @throws ApiError notFound for any other value, since no record has such an id
 */
export function id<const O extends IdOptions = object>(options?: O): Param<Outcome<Id, O>> {
  const declared: IdOptions = { missing: 404, ...options }
  return define<Id, O>(declared as O, SCHEMA, value => {
    if (value === '') return ABSENT
    const parsed = parseValue(value)
    if (parsed === undefined && declared.invalid !== 'missing')
      throw new ApiError('notFound', declared.message === undefined ? {} : { message: declared.message })
    return parsed ?? ABSENT
  })
}

export interface IdsOptions extends Options<readonly Id[]> {
  /** More ids than this are a 422. */
  max?: number
  /** A single id counts as a list of one; without this option it is ignored. */
  scalar?: boolean
  /**
   * The effect of an invalid id, which names no record: `notFound` is a 404, `drop` omits it.
   * Default `drop`.
   */
  invalid?: 'notFound' | 'drop'
}

/** Ids in the given order, without duplicates. */
export function ids<const O extends IdsOptions = object>(options?: O): Param<Outcome<readonly Id[], O>> {
  const declared: IdsOptions = options ?? {}
  const schema: Schema = { type: 'array', items: SCHEMA, ...(declared.max !== undefined && { maxItems: declared.max }) }
  return define<readonly Id[], O>(declared as O, schema, (value, place) => {
    const elements = elementsOf(value, declared.scalar)
    if (elements === undefined) return place.refuseInvalid()
    if (elements === ABSENT) return ABSENT
    const found = new Set<Id>()
    for (const element of elements) {
      if (element === null || element === '') continue
      const parsed = parseValue(element)
      if (parsed !== undefined) found.add(parsed)
      else if (declared.invalid === 'notFound') throw new ApiError('notFound')
    }
    if (declared.max !== undefined && found.size > declared.max)
      return place.refuse('ERR_TOO_LONG', `is too long (maximum is ${declared.max} characters)`)
    return [...found]
  })
}

/**
 * The bound of a page (`max_id`, `since_id`, `min_id`). It need not be the id of a record, so it
 * may be 0, and is clamped to 0 … 2^63-1. Like any integer it is read from its leading digits:
 * `abc` is 0.
 */
export function cursor(options: Pick<Options, 'description'> = {}): Param<Id | undefined> {
  return define<Id, { optional: true }>({ ...options, optional: true }, SCHEMA, (value, place) => {
    const text = typeof value === 'boolean' ? undefined : textOf(value)
    if (text === undefined) return place.refuseInvalid()
    if (text === '') return ABSENT
    const number = BigInt(/^\s*([0-9]{1,40})/.exec(text)?.[1] ?? 0)
    return String(number > MAX_SIZE ? MAX_SIZE : number)
  })
}

function parseValue(value: Value): Id | undefined {
  const text = typeof value === 'boolean' ? undefined : textOf(value)
  return text === undefined ? undefined : parseId(text)
}
