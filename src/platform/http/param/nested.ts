import { isTree, type ParamTree, type Value } from '../tree.ts'
import {
  ABSENT,
  define,
  elementsOf,
  missingParameter,
  type Options,
  type Outcome,
  type Param,
  ParseContext,
  INVALID,
} from './declare.ts'
import { labelOf } from './validation_error.ts'
import type { Schema } from './schema.ts'

/** The parameters that an operation declares, by name. */
export type Declared = Readonly<Record<string, Param<unknown>>>

/** The values of declared parameters. All are present; an absent one is undefined. */
export type Parsed<P extends Declared> = { -readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never }

/** Reads each declared parameter, in order; INVALID after an error. */
export function readDeclared<P extends Declared>(
  declared: P,
  tree: ParamTree,
  place: ParseContext,
): Parsed<P> | typeof INVALID {
  const values: Record<string, unknown> = {}
  let refused = false
  for (const name in declared) {
    place.name = name
    const value = declared[name]?.read(tree[name], place)
    if (value === INVALID) refused = true
    values[name] = value
  }
  return refused ? INVALID : (values as Parsed<P>)
}

/**
 * An object with parameters of its own. With `missing: 400` an empty one counts as absent, and any
 * other type is a 400, even when it is optional.
 */
export function object<const P extends Declared, const O extends Options<Parsed<P>> = object>(
  members: P,
  options?: O,
): Param<Outcome<Parsed<P>, O>> {
  const declared: Options<Parsed<P>> = options ?? {}
  return define<Parsed<P>, O>(declared as O, describeObject(members), (value, place) => {
    if (value === '') return ABSENT
    if (!isTree(value)) {
      if (declared.missing === 400) throw missingParameter(place.name)
      return place.refuseInvalid()
    }
    if (declared.missing === 400 && Object.keys(value).length === 0) return ABSENT
    return readDeclared(members, value, new ParseContext(place.errors))
  })
}

export interface ObjectsOptions<T> extends Options<readonly T[]> {
  /** The limit of objects. */
  max?: number
}

/**
 * A list of objects in the given order: an array, or an object keyed by index. The labels of errors
 * begin with the list's label.
 */
export function objects<const P extends Declared, const O extends ObjectsOptions<Parsed<P>> = object>(
  members: P,
  options?: O,
): Param<Outcome<readonly Parsed<P>[], O>> {
  const declared: ObjectsOptions<Parsed<P>> = options ?? {}
  const { max } = declared
  const schema: Schema = { type: 'array', items: describeObject(members), ...(max !== undefined && { maxItems: max }) }
  return define<readonly Parsed<P>[], O>(declared as O, schema, (value, place) => {
    const elements = elementsOf(value)
    if (elements === ABSENT) return ABSENT
    if (!elements?.every(isTree)) return place.refuseInvalid()
    if (max !== undefined && elements.length > max)
      return place.refuse('ERR_TOO_LONG', `is too long (maximum is ${max} characters)`)
    const inner = new ParseContext(place.errors, labelOf(place.name, place.label))
    const accepted: Parsed<P>[] = []
    for (const element of elements) {
      const read = readDeclared(members, element, inner)
      if (read !== INVALID) accepted.push(read)
    }
    return accepted.length === elements.length ? accepted : INVALID
  })
}

/** An object with any members, unchanged. */
export function record<const O extends Options<ParamTree> = object>(options?: O): Param<Outcome<ParamTree, O>> {
  return define<ParamTree, O>((options ?? {}) as O, { type: 'object' }, (value, place) => {
    if (value === '') return ABSENT
    return isTree(value) ? value : place.refuseInvalid()
  })
}

/** Any value, unchanged. */
export function json<const O extends Options<Value> = object>(options?: O): Param<Outcome<NonNullable<Value>, O>> {
  return define<NonNullable<Value>, O>((options ?? {}) as O, {}, value => value)
}

function describeObject(members: Declared): Schema {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const [name, member] of Object.entries(members)) {
    properties[name] = member.schema
    if (member.required) required.push(name)
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
