import type { AnyOperation, Method } from '../../platform/http/operation.ts'
import { documentErrors } from './errors.ts'
import { componentRef, type JsonSchema } from './json_schema.ts'
import { returnedBody } from './returned.ts'
import type { Notes } from './texts.ts'

interface Reference {
  readonly $ref: string
}

/** A Response Object. */
export interface DocumentedResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}

/** The Header Objects of the components. */
export const HEADERS = {
  Link: {
    description:
      'The neighbouring pages (RFC 8288): `<URL>; rel="next"` leads to older entries, `<URL>; rel="prev"` to newer ones. ' +
      'Clients follow these URLs as they are. Absent when there is no such page.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'The requests that the tightest limit allows in its window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'The requests that are left in this window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': { description: 'The end of the window.', schema: { type: 'string', format: 'date-time' } },
  'X-Request-Id': {
    description: 'The id of the request, which the server’s log contains as well.',
    schema: { type: 'string' },
  },
  Deprecation: {
    description: 'Since when the operation is deprecated: `@` and UNIX seconds (RFC 9745).',
    schema: { type: 'string' },
  },
  'Mastodon-Async-Refresh': {
    description:
      'More results are being collected: `id="…", retry=<seconds>`, optionally `, result_count=<n>`. ' +
      'Clients ask /api/v1_alpha/async_refreshes/{id} with that id.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'Why the token was refused (RFC 6750).',
    schema: { type: 'string' },
  },
} as const

type HeaderName = keyof typeof HEADERS

const headerRefs = (...names: HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const RATE_LIMITS: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

const CURSORS = ['max_id', 'min_id', 'since_id', 'offset']

/** Whether the operation returns its list in pages, with Link headers. */
const isPaged = ({ params, returns }: AnyOperation, method: Method): boolean =>
  method === 'GET' && 'limit' in params && CURSORS.some(name => name in params) && returns !== 'Search'

const ASYNC_REFRESH = /\/annual_reports\/:year\/(?:generate|state)$|\/statuses\/:id\/context$/

function headersOf(operation: AnyOperation, method: Method, path: string): Record<string, Reference> {
  const isCounted = path.startsWith('/api/') && operation.auth !== 'handler'
  return headerRefs(
    ...(isPaged(operation, method) ? ['Link' as const] : []),
    ...(isCounted ? RATE_LIMITS : []),
    ...(operation.headers?.['Deprecation'] === undefined ? [] : ['Deprecation' as const]),
    ...(ASYNC_REFRESH.test(path) ? ['Mastodon-Async-Refresh' as const] : []),
    'X-Request-Id',
  )
}

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Success',
  202: 'Accepted: the work continues in the background',
  204: 'There is none',
  206: 'Not finished yet: ask again',
  101: 'The connection becomes a WebSocket (RFC 6455)',
  301: 'Redirect',
  302: 'Redirect',
}

const BODILESS = new Set([101, 204, 301, 302])

/** An empty object is sent with 200 only; other successes have no body then. */
const hasBody = (status: number, { returns }: AnyOperation): boolean =>
  !BODILESS.has(status) && (status === 200 || returns !== '{}')

function errorSchema({ details }: AnyOperation, status: number): JsonSchema {
  if (status !== 422 || details === undefined || details === false) return componentRef('Error')
  const detailed = componentRef('ValidationError')
  const nested: JsonSchema = { type: 'object', properties: { error: detailed }, required: ['error'] }
  return { anyOf: [details === 'nested' ? nested : detailed, componentRef('Error')] }
}

const statusesOf = ({ statuses, returns }: AnyOperation): readonly number[] =>
  statuses ?? (returns === 'redirect' ? [302] : [200])

/** The Responses Object of an operation: successes and errors. */
export function documentResponses(
  operation: AnyOperation,
  method: Method,
  path: string,
  notes: Notes,
): Record<string, DocumentedResponse> {
  const { type, schema } = returnedBody(operation.returns)
  const headers = headersOf(operation, method, path)
  const successes = statusesOf(operation).map((status): [string, DocumentedResponse] => [
    String(status),
    {
      description: SUCCESS[status] ?? 'Success',
      headers,
      ...(type !== undefined && schema && hasBody(status, operation) && { content: { [type]: { schema } } }),
    },
  ])
  const errors = [...documentErrors(operation, method, path, notes)].map(
    ([status, lines]): [string, DocumentedResponse] => [
      String(status),
      {
        description: lines.map(line => `- ${line}`).join('\n'),
        ...(status === 401 || status === 403 ? { headers: headerRefs('WWW-Authenticate', 'X-Request-Id') } : {}),
        ...(status === 429 ? { headers: headerRefs(...RATE_LIMITS, 'X-Request-Id') } : {}),
        content: { 'application/json': { schema: errorSchema(operation, status) } },
      },
    ],
  )
  return Object.fromEntries([...successes, ...errors])
}
