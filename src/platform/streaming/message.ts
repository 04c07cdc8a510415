import type { Parameter } from './subscriptions.ts'

/** What a client asks for on a WebSocket. */
export interface ClientMessage {
  readonly type: 'subscribe' | 'unsubscribe'
  /** Undefined when it is no text. */
  readonly stream: string | undefined
  readonly parameter: Parameter
}

/** A text, or the first of a list of texts; a number counts as its digits. */
function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'number') return String(first)
  return typeof first === 'string' ? first : undefined
}

/** The message, or undefined for what is to be ignored: no JSON, no object, an unknown type. */
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

/** The parameters in the query of a request; of one that is given several times the first. */
export function queryParameter(query: string): Parameter {
  const parameters = new URLSearchParams(query)
  return name => parameters.get(name) ?? undefined
}
