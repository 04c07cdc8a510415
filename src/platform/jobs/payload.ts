import { type Id, parseId } from '../../core/id.ts'

/** What a payload has under a name. */
export function memberOf(payload: unknown, name: string): unknown {
  return typeof payload === 'object' && payload !== null
    ? new Map<string, unknown>(Object.entries(payload)).get(name)
    : undefined
}

/** The id that a payload has under a name. @throws Error when it has none */
export function idIn(payload: unknown, name: string): Id {
  const given = memberOf(payload, name)
  const id = typeof given === 'string' ? parseId(given) : undefined
  if (id === undefined) throw new Error(`the payload has no ${name}`)
  return id
}
