import type { Parameter } from './subscriptions.ts'

/** A client's message on a WebSocket. */
export interface ClientMessage {
  readonly type: 'subscribe' | 'unsubscribe'
  /** Undefined when it is not a string. */
  readonly stream: string | undefined
  readonly parameter: Parameter
}

/** A string, or the first of an array of strings; a number counts as its digits. */
function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'number') return String(first)
  return typeof first === 'string' ? first : undefined
}

/**
 * Parses a message. Undefined means that it is ignored: not JSON, not an object, or of an unknown
 * type.
 */
export function parseMessage(text: string): ClientMessage | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const members = new Map<string, unknown>(Object.entries(parsed))
  const type = members.get('type')
  if (type !== 'subscribe' && type !== 'unsubscribe') return undefined
  return {
    type,
    stream: firstText(members.get('stream')),
    parameter: name => firstText(members.get(name)),
  }
}

/** The query parameters of a request; the first one when a parameter is repeated. */
export function queryParameter(query: string): Parameter {
  const parameters = new URLSearchParams(query)
  return name => parameters.get(name) ?? undefined
}
