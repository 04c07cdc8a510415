import { componentRef, type JsonSchema } from './json_schema.ts'

/** A kind of body that an operation returns. */
export interface Returned {
  /** The media type; undefined for a response without a body. */
  readonly type?: string
  readonly schema?: JsonSchema
}

const JSON_TYPE = 'application/json'

/** Values of `returns` that are neither an entity nor a media type. */
const KINDS: Readonly<Record<string, Returned>> = {
  '{}': { type: JSON_TYPE, schema: { type: 'object', maxProperties: 0 } },
  Empty: { type: JSON_TYPE, schema: { type: 'object', maxProperties: 0 } },
  empty: {},
  'empty body': {},
  redirect: {},
  stream: { type: 'text/event-stream', schema: { type: 'string' } },
  string: { type: 'text/plain', schema: { type: 'string' } },
  HTML: { type: 'text/html', schema: { type: 'string' } },
  XRD: { type: 'application/xrd+xml', schema: { type: 'string' } },
  WebFinger: { type: 'application/jrd+json', schema: componentRef('WebFinger') },
}

const PRIMITIVES = new Set(['string', 'boolean', 'integer', 'number', 'null'])

/**
 * The schema of a type in the syntax of `returns`: an entity, `[T]`, `T | U`, `hash<T>`,
 * `{"name": T}`.
 */
function schemaOf(type: string): JsonSchema {
  const alternatives = type.split(' | ')
  if (alternatives.length > 1) return { anyOf: alternatives.map(schemaOf) }
  if (type.startsWith('[')) return { type: 'array', items: schemaOf(type.slice(1, -1)) }
  const values = /^hash<(.+)>$/.exec(type)?.[1]
  if (values !== undefined) return { type: 'object', additionalProperties: schemaOf(values) }
  const [, member, memberType = ''] = /^\{"(\w+)": (\w+)\}$/.exec(type) ?? []
  if (member !== undefined)
    return { type: 'object', properties: { [member]: schemaOf(memberType) }, required: [member] }
  if (type === 'hash') return { type: 'object' }
  return PRIMITIVES.has(type) ? { type } : componentRef(type.replace('::', '_'))
}

/** The body that a declaration's `returns` means. */
export function returnedBody(returns: string): Returned {
  const kind = Object.hasOwn(KINDS, returns) ? KINDS[returns] : undefined
  if (kind) return kind
  if (/^[a-z]+\/[a-z0-9.+-]+$/.test(returns)) return { type: returns, schema: { type: 'string' } }
  return { type: JSON_TYPE, schema: schemaOf(returns) }
}
