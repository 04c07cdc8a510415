import type { AnyOperation, Method } from '../../platform/http/operation.ts'
import type { JsonSchema } from './json_schema.ts'
import type { Notes } from './texts.ts'

/** A Parameter Object. */
export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly style?: string
  readonly explode?: boolean
}

interface Encoding {
  readonly style: string
  readonly explode: boolean
}

/** A Request Body Object. */
export interface DocumentedBody {
  readonly required: boolean
  readonly content: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly encoding?: Readonly<Record<string, Encoding>> }>
  >
}

const HAS_BODY = new Set<Method>(['POST', 'PUT', 'PATCH'])

const nameOf = (segment: string): string => segment.slice(1)
const inPath = (path: string): Set<string> => new Set(path.match(/:[a-z_]+/g)?.map(nameOf))

/** The schema without its description, which belongs to the parameter. */
const withoutDescription = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'description'))

const isList = (schema: JsonSchema): boolean => schema.type === 'array' || schema.type?.includes('array') === true
const isObject = (schema: JsonSchema): boolean => schema.type === 'object' || schema.type?.includes('object') === true
/** Lists of objects have indexed names in forms, which OpenAPI cannot express. */
const isIndexed = (schema: JsonSchema): boolean => isList(schema) && schema.items?.type === 'object'
const isFile = (schema: JsonSchema): boolean => schema.format === 'binary'

/** The parameters in the path and the query. */
export function documentParameters(
  operation: AnyOperation,
  method: Method,
  path: string,
  notes: Notes,
): DocumentedParameter[] {
  const names = inPath(path)
  const described = Object.entries(operation.params).flatMap(([name, { schema, required }]): DocumentedParameter[] => {
    const isInPath = names.has(name)
    if (!isInPath && HAS_BODY.has(method)) return []
    const description = schema.description ?? notes.parameters?.[name]
    const shared = { schema: withoutDescription(schema), ...(description !== undefined && { description }) }
    if (isInPath) return [{ name, in: 'path', required: true, ...shared }]
    const parameter = { in: 'query', required, ...shared } as const
    if (isList(schema)) return [{ ...parameter, name: `${name}[]`, style: 'form', explode: true }]
    if (isObject(schema)) return [{ ...parameter, name, style: 'deepObject', explode: true }]
    return [{ ...parameter, name }]
  })
  // A handler that reads a parameter from the path itself does not declare it.
  const undeclared = [...names].filter(name => !(name in operation.params))
  return [
    ...described,
    ...undeclared.map((name): DocumentedParameter => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
  ]
}

/** The body of a request, as JSON and as a form; undefined when it has none. */
export function documentBody(
  operation: AnyOperation,
  method: Method,
  path: string,
  notes: Notes,
): DocumentedBody | undefined {
  const names = inPath(path)
  const declared = Object.entries(operation.params).filter(([name]) => !names.has(name))
  if (!HAS_BODY.has(method) || declared.length === 0) return undefined
  const properties = Object.fromEntries(
    declared.map(([name, { schema }]): [string, JsonSchema] => {
      const description = schema.description ?? notes.parameters?.[name]
      return [name, description === undefined ? schema : { ...schema, description }]
    }),
  )
  const required = declared.filter(([, one]) => one.required).map(([name]) => name)
  const form = formOf(properties, required)
  const formType = Object.values(properties).some(isFile)
    ? { 'multipart/form-data': form }
    : { 'application/x-www-form-urlencoded': form, 'multipart/form-data': { schema: form.schema } }
  return {
    required: required.length > 0,
    content: { 'application/json': { schema: objectOf(mapFiles(properties), required) }, ...formType },
  }
}

const objectOf = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** In JSON, a file is a `data:` URI. */
const mapFiles = (properties: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) =>
      isFile(schema) ? [name, { ...schema, format: 'uri', pattern: '^data:' }] : [name, schema],
    ),
  )

/** Forms name lists `name[]`, members `name[member]`, and lists of objects `name[0][member]`. */
function formOf(properties: Record<string, JsonSchema>, required: readonly string[]) {
  const encoding: Record<string, Encoding> = {}
  const named: Record<string, JsonSchema> = {}
  const nameInForm = (name: string, schema: JsonSchema): string =>
    isList(schema) && !isIndexed(schema) ? `${name}[]` : name
  for (const [name, schema] of Object.entries(properties)) {
    named[nameInForm(name, schema)] = schema
    if (isList(schema) && !isIndexed(schema)) encoding[`${name}[]`] = { style: 'form', explode: true }
    else if (isObject(schema) || isIndexed(schema)) encoding[name] = { style: 'deepObject', explode: true }
  }
  const needed = required.map(name => nameInForm(name, properties[name] ?? {}))
  return { schema: objectOf(named, needed), ...(Object.keys(encoding).length > 0 && { encoding }) }
}
