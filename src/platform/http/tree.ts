import { ApiError } from '../../core/errors.ts'
import { Upload } from './upload.ts'

export { Upload } from './upload.ts'

/**
 * A parameter before its declaration gives it a type. No string in it contains NUL or a lone
 * surrogate.
 */
export type Value = string | number | boolean | null | Upload | Value[] | ParamTree

/**
 * Parameters by name. Without a prototype, so that `__proto__` or `constructor` are normal names.
 */
export interface ParamTree {
  [name: string]: Value
}

/** The maximal depth of brackets or JSON. */
export const MAX_DEPTH = 32
/** The maximal number of values in a query or body. */
export const MAX_VALUES = 4096

const INDEX = /^-?[0-9]+$/
/** JavaScript sorts keys such as `1`; the given order matters, so it is stored separately. */
const indexOrder = new WeakMap<ParamTree, string[]>()

export function createTree(): ParamTree {
  const tree: ParamTree = Object.create(null)
  return tree
}

export function isTree(value: Value | undefined): value is ParamTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Upload)
}

/** Sets one member and records the order of index keys (`0`, `1`, …). */
export function setMember(tree: ParamTree, key: string, value: Value): void {
  if (INDEX.test(key) && !(key in tree)) {
    const order = indexOrder.get(tree)
    if (order) order.push(key)
    else indexOrder.set(tree, [key])
  }
  tree[key] = value
}

/**
 * Makes one character of each line break in the texts of a form. Browsers send two (CR LF), but
 * count one towards `maxlength`.
 */
export function normaliseLineBreaks(tree: ParamTree): void {
  for (const [name, value] of Object.entries(tree)) tree[name] = withLineFeeds(value)
}

function withLineFeeds(value: Value): Value {
  if (typeof value === 'string') return value.includes('\r\n') ? value.replaceAll('\r\n', '\n') : value
  if (Array.isArray(value)) return value.map(withLineFeeds)
  if (isTree(value)) normaliseLineBreaks(value)
  return value
}

/**
 * The members of an object that stands for a list (`{"0": …, "1": …}`) in the given order;
 * undefined for other objects.
 */
export function indexedValues(tree: ParamTree): Value[] | undefined {
  const keys = Object.keys(tree)
  if (keys.length === 0) return []
  const order = indexOrder.get(tree)
  if (order?.length !== keys.length) return undefined
  return order.map(key => tree[key] ?? null)
}

/**
 * Inserts the value of a form field at the position that its name describes: `a`, `a[]`, `a[b]`,
 * `a[][b]` (a new element whenever the member exists already), `a[0][b]`. A repeated plain name
 * gets the last value. Unbalanced brackets are part of the name.
 * @throws ApiError badRequest when two names contradict each other, or brackets nest too deeply
 */
export function insertParameter(tree: ParamTree, name: string, value: string | null | Upload): void {
  const bracket = name.indexOf('[')
  if (bracket > 0) place(tree, splitName(name, bracket), 0, value)
  else if (name !== '') tree[name] = place(tree[name], [], 0, value)
}

function splitName(name: string, bracket: number): string[] {
  const keys = [name.slice(0, bracket)]
  let start = bracket
  while (start < name.length) {
    const end = name.indexOf(']', start)
    if (name[start] !== '[' || end < 0) return [name]
    keys.push(name.slice(start + 1, end))
    if (keys.length > MAX_DEPTH) throw new ApiError('badRequest')
    start = end + 1
  }
  return keys
}

/** The new value of a slot after `value` is inserted below it at `keys[from]`, …. */
function place(held: Value | undefined, keys: readonly string[], from: number, value: Value): Value {
  const key = keys[from]
  if (key === undefined) {
    if (isTree(held) || Array.isArray(held)) throw new ApiError('badRequest')
    return value
  }
  if (key === '') {
    const list = held ?? []
    if (!Array.isArray(list)) throw new ApiError('badRequest')
    const last = list.at(-1)
    if (isTree(last) && keys[from + 1] && !holds(last, keys, from + 1)) place(last, keys, from + 1, value)
    else list.push(place(undefined, keys, from + 1, value))
    return list
  }
  const branch = held ?? createTree()
  if (!isTree(branch)) throw new ApiError('badRequest')
  setMember(branch, key, place(branch[key], keys, from + 1, value))
  return branch
}

/**
 * Whether the element of a list already has the member, which starts the next element. `[]` below
 * it never does.
 */
function holds(tree: ParamTree, keys: readonly string[], from: number): boolean {
  if (keys.includes('', from)) return false
  let held: Value | undefined = tree
  for (const key of keys.slice(from)) {
    if (!isTree(held)) return true
    held = held[key]
    if (held === undefined) return false
  }
  return true
}
