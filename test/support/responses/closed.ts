import type { JsonSchema } from '../../../src/app/openapi/json_schema.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Errors may have further members, such as the state of an authorization. */
const OPEN = new Set(['Error', 'ValidationError'])

const nameOf = (reference: string): string => reference.replace(/.*\//, '')

/** One object schema instead of a schema that extends others. */
function merge(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (schema.$ref !== undefined) return merge(schemas[nameOf(schema.$ref)] ?? {}, schemas)
  if (!schema.allOf) return schema
  const parts = schema.allOf.map(part => merge(part, schemas))
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(part => part.properties ?? {})) as Schemas,
    required: parts.flatMap(part => part.required ?? []),
  }
}

function close(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { allOf: _, description: __, ...merged } = schema.allOf ? merge(schema, schemas) : schema
  return {
    ...merged,
    ...(merged.items && { items: close(merged.items, schemas) }),
    ...(merged.anyOf && { anyOf: merged.anyOf.map(one => close(one, schemas)) }),
    ...(typeof merged.additionalProperties === 'object' && {
      additionalProperties: close(merged.additionalProperties, schemas),
    }),
    ...(merged.properties && {
      properties: Object.fromEntries(
        Object.entries(merged.properties).map(([name, member]) => [name, close(member, schemas)]),
      ),
      additionalProperties: merged.additionalProperties ?? false,
    }),
  }
}

/**
 * The entities without room for unknown members: clients must tolerate them, but the server must
 * not send any.
 */
export const closeEntities = (schemas: Schemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, OPEN.has(name) ? schema : close(schema, schemas)]),
  )
