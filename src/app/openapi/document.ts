import { MILLRACE_VERSION } from '../../instance/index.ts'
import type { AnyOperation, Method } from '../../platform/http/operation.ts'
import { methodsOf, pathsOf } from '../../platform/http/router.ts'
import { INTRODUCTION, STREAMING } from './introduction.ts'
import { componentRef, type JsonSchema } from './json_schema.ts'
import { documentLimits } from './limits.ts'
import { documentBody, documentParameters, type DocumentedBody, type DocumentedParameter } from './parameters.ts'
import { documentResponses, HEADERS, type DocumentedResponse } from './responses.ts'
import { documentSecurity, securitySchemes } from './security.ts'
import { shareResponses, type ResponseOrReference } from './shared_responses.ts'
import { readEntities, readNotes, type Notes } from './texts.ts'

/** An Operation Object. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly [string]
  readonly deprecated?: true
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly DocumentedParameter[]
  readonly requestBody?: DocumentedBody
  readonly responses: Readonly<Record<string, ResponseOrReference>>
  readonly 'x-rate-limits'?: readonly object[]
}

/** An OpenAPI Object, version 3.1. */
export interface OpenApi {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly webhooks: object
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, DocumentedResponse>>
    readonly headers: object
    readonly securitySchemes: object
  }
}

/** The API: the other paths are pages and their files. */
const API = /^\/(?:api\/|oauth\/(?:authorize$|token|revoke|introspect|userinfo)|\.well-known\/|nodeinfo\/)[^*]*$/

/** The part of the API that a path belongs to: `statuses` for `/api/v1/statuses/:id`. */
function groupOf(path: string): string {
  const [first = '', second = '', third = '', fourth = ''] = path.split('/').slice(1)
  if (first !== 'api') return first === 'oauth' ? 'oauth' : 'discovery'
  if (!/^v\d/.test(second)) return second.replace(/\..*/, '')
  return third === 'admin' ? `admin/${fourth}` : third
}

/** `getV1StatusesIdContext`. */
function operationIdOf(method: Method, path: string): string {
  const words = path
    .replace(/^\/api\//, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(word => word !== '')
  return method.toLowerCase() + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** An operation whose responses are all spelled out. */
interface FullOperation extends DocumentedOperation {
  readonly responses: Record<string, DocumentedResponse>
}

function documentOperation(operation: AnyOperation, method: Method, path: string, notes: Notes): FullOperation {
  const parameters = documentParameters(operation, method, path, notes)
  const requestBody = documentBody(operation, method, path, notes)
  const limits = documentLimits(operation, method, path)
  return {
    operationId: operationIdOf(method, path),
    summary: operation.summary,
    tags: [groupOf(path)],
    ...(operation.headers?.['Deprecation'] !== undefined && { deprecated: true }),
    security: documentSecurity(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: documentResponses(operation, method, path, notes),
    ...(limits.length > 0 && { 'x-rate-limits': limits }),
  }
}

function documentPaths(operations: readonly AnyOperation[]): Record<string, Record<string, FullOperation>> {
  const texts = readNotes()
  const paths: Record<string, Record<string, FullOperation>> = {}
  for (const operation of operations) {
    const name = `${methodsOf(operation)[0]} ${pathsOf(operation)[0]}`
    // The earlier path of an operation has the same errors.
    const notes = texts[name] ?? texts[name.replace('/api/v1_alpha/', '/api/v1/')] ?? {}
    for (const path of pathsOf(operation).filter(one => API.test(one))) {
      const item = (paths[path.replaceAll(/:([a-z_]+)/g, '{$1}')] ??= {})
      for (const method of methodsOf(operation))
        item[method.toLowerCase()] = documentOperation(operation, method, path, notes)
    }
  }
  return Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const groupsOf = (paths: OpenApi['paths']): string[] => {
  const groups = Object.values(paths).flatMap(item => Object.values(item).map(({ tags: [group] }) => group))
  return [...new Set(groups)].sort()
}

const mapValues = <T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

/** The response itself, where it is a reference to a component. */
export function resolveResponse({ components }: OpenApi, response: ResponseOrReference): DocumentedResponse {
  if (!('$ref' in response)) return response
  return components.responses[response.$ref.replace(/.*\//, '')] ?? { description: '' }
}

/** Makes the OpenAPI document of the operations that are part of the API. */
export function makeDocument(operations: readonly AnyOperation[], publicUrl: string): OpenApi {
  const full = documentPaths(operations)
  const { shared, replace } = shareResponses(
    Object.values(full).flatMap(item => Object.values(item).map(({ responses }) => responses)),
  )
  const paths = mapValues(full, item => mapValues(item, one => ({ ...one, responses: replace(one.responses) })))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: MILLRACE_VERSION,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: groupsOf(paths).map(name => ({ name, ...(name === 'streaming' && { description: STREAMING }) })),
    paths,
    webhooks: {
      push: {
        post: {
          operationId: 'push',
          summary: 'Send a Web Push message to the endpoint of a subscription (RFC 8030), encrypted (RFC 8291)',
          requestBody: { content: { 'application/json': { schema: componentRef('WebPushPayload') } } },
          responses: { 201: { description: 'The push service has accepted it' } },
        },
      },
    },
    components: {
      schemas: readEntities(),
      responses: shared,
      headers: HEADERS,
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}
