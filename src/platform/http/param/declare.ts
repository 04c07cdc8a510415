import { ApiError } from '../../../core/errors.ts'
import { indexedValues, isTree, Upload, type Value } from '../tree.ts'
import { type ParamError, labelOf } from './validation_error.ts'
import type { Schema } from './schema.ts'

/** The value has a form that counts as absent, such as an empty string. */
export const ABSENT = Symbol('absent')
/** The value is invalid; the error has been recorded. */
export const INVALID = Symbol('refused')

/** Options of every kind of parameter. It is required unless it is optional or has a default. */
export interface Options<T = unknown> {
  /** Undefined when it is absent or null. */
  optional?: boolean
  /** A null is passed on as null. */
  nullable?: boolean
  /** With `nullable`: an empty string, as forms send it, is null too. */
  emptyIsNull?: boolean
  /** The value when it is absent. */
  default?: T
  /**
   * The error when a required parameter is absent: 400 `param is missing…`, 404 `Record not found`,
   * or 422 `Validation failed: Label can't be blank`, which is the default unless the kind has
   * another.
   */
  missing?: 400 | 404 | 422
  /** The name in messages to people; derived from the parameter's name by default. */
  label?: string
  /** One line for the documentation. */
  description?: string
}

/** The type of a parameter of kind T with the options O. */
export type Outcome<T, O> =
  | T
  | (O extends { nullable: true } ? null : never)
  | (O extends { default: unknown } ? never : O extends { optional: true } ? undefined : never)

/** One declared parameter. */
export interface Param<T> {
  /** Its JSON Schema, for the OpenAPI document. */
  readonly schema: Schema
  readonly required: boolean
  /**
   * The typed value. Records an error and returns INVALID, or throws an ApiError that ends the
   * request.
   */
  read(value: Value | undefined, place: ParseContext): T | typeof INVALID
}

/** The position of a value in the request: its name, its label, and the list of errors. */
export class ParseContext {
  readonly errors: ParamError[]
  readonly prefix: string
  name = ''
  label: string | undefined

  constructor(errors: ParamError[], prefix = '') {
    this.errors = errors
    this.prefix = prefix
  }

  refuse(code: ParamError['code'], message: string): typeof INVALID {
    const own = labelOf(this.name, this.label)
    const label = this.prefix === '' ? own : `${this.prefix} ${own.charAt(0).toLowerCase()}${own.slice(1)}`
    this.errors.push({ name: this.name, label, code, message })
    return INVALID
  }

  refuseInvalid(): typeof INVALID {
    return this.refuse('ERR_INVALID', 'is invalid')
  }

  refuseUnlisted(): typeof INVALID {
    return this.refuse('ERR_INCLUSION', 'is not included in the list')
  }
}

/** Makes a kind of parameter: `read` sees neither null nor undefined, which the options handle. */
export function define<T, const O extends Options>(
  options: O,
  schema: Schema,
  read: (value: NonNullable<Value>, place: ParseContext) => T | typeof ABSENT | typeof INVALID,
): Param<Outcome<T, O>> {
  const absent = (place: ParseContext): unknown => {
    if (options.default !== undefined) return options.default
    if (options.optional) return undefined
    if (options.missing === 404) throw new ApiError('notFound')
    if (options.missing === 400) throw missingParameter(place.name)
    return place.refuse('ERR_BLANK', "can't be blank")
  }
  return {
    schema: describe(options, schema),
    required: !options.optional && options.default === undefined,
    read(value, place) {
      if (options.nullable && (value === null || (value === '' && options.emptyIsNull))) return null as Outcome<T, O>
      place.label = options.label
      const outcome = value === undefined || value === null ? ABSENT : read(value, place)
      return (outcome === ABSENT ? absent(place) : outcome) as Outcome<T, O> | typeof INVALID
    },
  }
}

/** The 400 for a missing parameter that an endpoint requires. */
export const missingParameter = (name: string): ApiError =>
  new ApiError('missingParameter', { message: `param is missing or the value is empty or invalid: ${name}` })

/** The text of a scalar; undefined for null, a list, an object or a file. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/**
 * The elements of a list, also of one that is keyed by index. A scalar counts as absent, or as the
 * only element when `scalar` is set; undefined for values that cannot be a list.
 */
export function elementsOf(value: NonNullable<Value>, scalar = false): readonly Value[] | typeof ABSENT | undefined {
  if (Array.isArray(value)) return value
  if (isTree(value)) return indexedValues(value)
  if (value instanceof Upload) return undefined
  return scalar && value !== '' ? [value] : ABSENT
}

function describe(options: Options, schema: Schema): Schema {
  const described: Schema = { ...schema }
  if (options.nullable && typeof schema.type === 'string') described.type = [schema.type, 'null']
  if (options.default !== undefined) described.default = options.default
  if (options.description !== undefined) described.description = options.description
  return described
}
