import { entities } from './contract.ts'

/**
 * A member of an object: its type, whether it may be missing, and the members of a hash when they
 * are known.
 */
interface Shape {
  type: string
  optional: boolean
  members: Map<string, Shape>
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
const WEB = /^https?:\/\/[^\s]+$/

/** The checks of types that are not entities. */
const PRIMITIVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  html: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  integer: value => Number.isInteger(value),
  float: value => typeof value === 'number' && Number.isFinite(value),
  url: value => typeof value === 'string' && WEB.test(value) && URL.canParse(value),
  date: value => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  datetime: value => isInstant(value, '.000Z'),
  'datetime with offset': value => isInstant(value, '.000+00:00'),
  'datetime of whole seconds': value => isInstant(value, 'Z'),
  'datetime of whole seconds with offset': value => isInstant(value, '+00:00'),
  hash: value => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: value => value === null,
  empty: value => value === undefined,
}

function isInstant(value: unknown, form: string): boolean {
  if (typeof value !== 'string' || !INSTANT.test(value) || Number.isNaN(Date.parse(value))) return false
  return value.slice(19).replace(/^\.\d{3}/, '.000') === form
}

const shapes = new Map<string, Map<string, Shape>>()

/** The tree of an entity's members, from dotted names such as `contact.email` and `icon[].src`. */
function shapeOf(entity: string, fields: Readonly<Record<string, string>>): Map<string, Shape> {
  const known = shapes.get(entity)
  if (known) return known
  const root = new Map<string, Shape>()
  for (const [field, type] of Object.entries(fields)) {
    const steps = field.replace(/\?$/, '').split(/(?:\[\])?\.(?!$)/)
    let members = root
    for (const [index, step] of steps.entries()) {
      const last = index === steps.length - 1
      const shape: Shape = members.get(step) ?? { type: 'hash', optional: false, members: new Map() }
      if (last) Object.assign(shape, { type, optional: field.endsWith('?') })
      members.set(step, shape)
      members = shape.members
    }
  }
  shapes.set(entity, root)
  return root
}

/** Splits `a | b` at the top level, outside of brackets and quotes. */
const alternativesOf = (type: string): string[] =>
  type.match(/(?:\[[^\]]*\]|"[^"]*"|[^|])+/g)?.map(part => part.trim()) ?? []

function checkMembers(value: object, members: Map<string, Shape>, where: string): string[] {
  const found: [string, unknown][] = Object.entries(value)
  const names = new Set(found.map(([name]) => name))
  const unknown = [...names].filter(name => !members.has(name)).map(name => `${where}.${name} is not in the contract`)
  const missing = [...members]
    .filter(([name, shape]) => !shape.optional && !names.has(name))
    .map(([name]) => `${where}.${name} is missing`)
  const wrong = found.flatMap(([name, member]) => {
    const shape = members.get(name)
    if (!shape) return []
    const at = `${where}.${name}`
    const faults = violationsOf(member, shape.type, at)
    if (faults.length > 0 || shape.members.size === 0) return faults
    const parts: unknown[] = Array.isArray(member) ? member : [member]
    return parts.flatMap(part =>
      typeof part === 'object' && part !== null ? checkMembers(part, shape.members, at) : [],
    )
  })
  return [...unknown, ...missing, ...wrong]
}

function checkOne(value: unknown, type: string, where: string): string[] {
  const primitive = PRIMITIVES[type]
  if (primitive) return primitive(value) ? [] : [`${where} is no ${type}: ${JSON.stringify(value)?.slice(0, 80)}`]
  if (type.startsWith('"'))
    return value === JSON.parse(type) ? [] : [`${where} is ${JSON.stringify(value)}, not ${type}`]
  if (type.startsWith('[')) {
    if (!Array.isArray(value)) return [`${where} is no list: ${JSON.stringify(value)?.slice(0, 80)}`]
    return value.flatMap((element: unknown, index) => violationsOf(element, type.slice(1, -1), `${where}[${index}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${where} is no ${type}: ${JSON.stringify(value)?.slice(0, 80)}`]
  }
  const inline = /^\{(?:"(\w+)": (\w+))?\}$/.exec(type)
  if (inline) {
    const [, name, member = ''] = inline
    const members = new Map(name === undefined ? [] : [[name, { type: member, optional: false, members: new Map() }]])
    return checkMembers(value, members, where)
  }
  const valuesOf = /^hash<(\w+)>$/.exec(type)?.[1]
  if (valuesOf !== undefined) {
    return Object.entries(value).flatMap(([name, member]) => violationsOf(member, valuesOf, `${where}.${name}`))
  }
  const fields = entities[type]
  return fields ? checkMembers(value, shapeOf(type, fields), where) : [`the contract has no entity ${type}`]
}

/**
 * The violations of a type by a value: each missing, unknown or ill-typed member with its path.
 * @param type an entity's name, a primitive, `[T]`, `T | null`, `"literal"`, `hash<T>`
 *   or `{"name": T}`
 */
export function violationsOf(value: unknown, type: string, where = '$'): string[] {
  const kinds = alternativesOf(type)
  const tried = kinds.map(kind => checkOne(value, kind, where))
  if (tried.some(faults => faults.length === 0)) return []
  // The closest alternative.
  const [closest] = tried.filter((_, index) => kinds[index] !== 'null').sort((a, b) => a.length - b.length)
  return closest ?? tried.flat()
}
