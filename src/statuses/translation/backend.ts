import { ApiError } from '../../core/errors.ts'
import { OutgoingFailure, type Outgoing } from '../../platform/http_client/index.ts'

/** The languages that a backend translates between: targets by source; `und` when the source is for it to find out. */
export type LanguagePairs = ReadonlyMap<string, readonly string[]>

/** What a backend has made of texts. */
export interface Translated {
  /** In the order of what was asked. */
  readonly texts: readonly string[]
  /** The language that they were in, as given or as the backend found. */
  readonly source: string | null
}

/** A service that translates. Both ask it over the network and throw a ApiError `unavailable` when it refuses or answers nonsense. */
export interface TranslationBackend {
  /** The name that clients show. */
  readonly provider: string
  languages(): Promise<LanguagePairs>
  /** @param texts HTML, none of them blank; what is marked with `translate="no"` stays as it is */
  translate(texts: readonly string[], source: string | null, target: string): Promise<Translated>
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 2 * 1024 * 1024

/** The texts are those of api/endpoints/statuses.json. */
export const answeredBadly = (cause?: unknown): ApiError =>
  new ApiError('unavailable', { message: 'Service Unavailable', cause })
export const quotaUsedUp = (): ApiError =>
  new ApiError('unavailable', {
    message: 'The server-wide usage quota for the translation service has been exceeded.',
  })
const tooManyRequests = (): ApiError =>
  new ApiError('unavailable', {
    message: 'There have been too many requests to the translation service recently.',
  })

export interface BackendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON by POST; without it, it is a GET. */
  readonly body?: object
  /** The status that says that a quota is used up. */
  readonly quotaStatus: number
}

/** What a backend answers, parsed as JSON. @throws ApiError `unavailable` */
export async function askBackend(outgoing: Outgoing, { url, headers, body, quotaStatus }: BackendRequest) {
  const answer = await outgoing
    .request(url, {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      trusted: true,
    })
    .catch((error: unknown) => {
      throw error instanceof OutgoingFailure ? answeredBadly(error) : error
    })
  if (answer.status === 429) throw tooManyRequests()
  if (answer.status === quotaStatus) throw quotaUsedUp()
  if (answer.status < 200 || answer.status > 299) throw answeredBadly(new Error(`status ${answer.status}`))
  try {
    const parsed: unknown = JSON.parse(answer.body.toString())
    return parsed
  } catch (error) {
    throw answeredBadly(error)
  }
}

/** A member of what was parsed, whatever that is. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined

/** The members of an array of objects that are texts, in its order. @throws ApiError `unavailable` unless each has one */
export function textsOf(list: unknown, name: string): string[] {
  if (!Array.isArray(list)) throw answeredBadly(new Error('no list'))
  return list.map((one: unknown) => {
    const text = memberOf(one, name)
    if (typeof text !== 'string') throw answeredBadly(new Error(`no ${name}`))
    return text
  })
}
