/** The subset of JSON Schema that describes parameters. */
export interface Schema {
  type?: string | readonly string[]
  format?: string
  enum?: readonly string[]
  default?: unknown
  description?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}
