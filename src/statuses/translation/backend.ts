import { ApiError } from '../../core/errors.ts'
import { OutgoingFailure, type Outgoing } from '../../platform/http_client/index.ts'

/**
 * The language pairs of a backend: targets by source; `und` for a source that the backend detects.
 */
export type LanguagePairs = ReadonlyMap<string, readonly string[]>

/** The result of a translation. */
export interface Translated {
  /** In the order of the originals. */
  readonly texts: readonly string[]
  /** The source language, as given or as detected. */
  readonly source: string | null
}

/**
 * A translation service. Both methods send requests and throw an ApiError `unavailable` when it
 * refuses or sends an invalid response.
 */
export interface TranslationBackend {
  /** The name that clients show. */
  readonly provider: string
  languages(): Promise<LanguagePairs>
  /** @param texts HTML, not blank; elements with `translate="no"` are not translated */
  translate(texts: readonly string[], source: string | null, target: string): Promise<Translated>
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 2 * 1024 * 1024

export const answeredBadly = (cause?: unknown): ApiError =>
  new ApiError('unavailable', { message: 'Service Unavailable', cause })
const quotaUsedUp = (): ApiError =>
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
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: object
  /** The status that reports an exhausted quota. */
  readonly quotaStatus: number
}

/**
 * A backend's response, parsed as JSON.
 * @throws ApiError `unavailable`
 */
export async function askBackend(outgoing: Outgoing, { url, headers, body, quotaStatus }: BackendRequest) {
  const response = await outgoing
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
  if (response.status === 429) throw tooManyRequests()
  if (response.status === quotaStatus) throw quotaUsedUp()
  if (response.status < 200 || response.status > 299) throw answeredBadly(new Error(`status ${response.status}`))
  try {
    const parsed: unknown = JSON.parse(response.body.toString())
    return parsed
  } catch (error) {
    throw answeredBadly(error)
  }
}

/** A member of a parsed value of any type. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined

/**
 * This text member of each object of an array.
 * @throws ApiError `unavailable` unless each has one
 */
export function textsOf(list: unknown, name: string): string[] {
  if (!Array.isArray(list)) throw answeredBadly(new Error('the response has no list'))
  return list.map((one: unknown) => {
    const text = memberOf(one, name)
    if (typeof text !== 'string') throw answeredBadly(new Error(`the response has no ${name}`))
    return text
  })
}
