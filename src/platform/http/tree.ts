import { ApiError } from '../../core/errors.ts'
import { Upload } from './upload.ts'

export { Upload } from './upload.ts'

/** What a parameter can be before a declaration has given it a type. No string in it holds NUL or a lone surrogate. */
export type Value = string | number | boolean | null | Upload | Value[] | ParamTree

/** Parameters by name. It has no prototype, so that `__proto__` or `constructor` are names like any other. */
export interface ParamTree {
  [name: string]: Value
}

/** How deep brackets or JSON may nest. */
export const MAX_DEPTH = 32
/** How many values one query or one body may hold. */
export const MAX_VALUES = 4096

const INDEX = /^-?[0-9]+$/
/** JavaScript sorts keys such as `1`; what was given first must stay first, so their order is kept apart. */
const indexOrder = new WeakMap<ParamTree, string[]>()

export function createTree(): ParamTree {
  const tree: ParamTree = Object.create(null)
  return tree
}

export function isTree(value: Value | undefined): value is ParamTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Upload)
}

/** Sets one member and remembers when index keys (`0`, `1`, …) came. */
export function setMember(tree: ParamTree, key: string, value: Value): void {
  if (INDEX.test(key) && !(key in tree)) {
    const order = indexOrder.get(tree)
    if (order) order.push(key)
    else indexOrder.set(tree, [key])
  }
  tree[key] = value
}

/** The members of an object that stands for a list (`{"0": …, "1": …}`) in the order given; undefined when it is none. */
export function indexedValues(tree: ParamTree): Value[] | undefined {
  const keys = Object.keys(tree)
  if (keys.length === 0) return []
  const order = indexOrder.get(tree)
  if (order?.length !== keys.length) return undefined
  return order.map(key => tree[key] ?? null)
}

/**
 * Puts the value of a form field where its name says: `a`, `a[]`, `a[b]`, `a[][b]` (a new element whenever the member is
 * already there), `a[0][b]`. A plain name that comes again keeps the last value. Brackets that do not match are part of the name.
 * @throws ApiError badRequest when two names want different shapes, or brackets nest too deep
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

/** What the slot that held `held` holds after `value` has gone to `keys[from]`, … below it. */
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

/** Whether the element of a list has the member already, which starts the next element. `[]` below it never does. */
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
