import { type Id, parseId } from '../../core/id.ts'

/** The member of a payload with this name; undefined when there is none. */
export function memberOf(payload: unknown, name: string): unknown {
  return typeof payload === 'object' && payload !== null
    ? new Map<string, unknown>(Object.entries(payload)).get(name)
    : undefined
}

/** The id in a payload's member. @throws Error when there is none */
export function idIn(payload: unknown, name: string): Id {
  const value = memberOf(payload, name)
  const id = typeof value === 'string' ? parseId(value) : undefined
  if (id === undefined) throw new Error(`the payload has no ${name}`)
  return id
}
