/** The part of JSON Schema 2020-12 that the document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly contentMediaType?: string
  readonly enum?: readonly (string | null)[]
  readonly const?: unknown
  readonly default?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** A schema of the document's components. */
export const componentRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
