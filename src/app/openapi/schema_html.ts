import { href, html, type Content, type Html } from '../../platform/ui/index.ts'
import type { JsonSchema } from './json_schema.ts'

const entityLink = (name: string): Html => html`<a href="${href('/api', { entity: name })}">${name}</a>`

/** Contents with a separator between them. */
const joined = (contents: readonly Content[], separator: string): Content[] =>
  contents.flatMap((content, index) => (index === 0 ? [content] : [separator, content]))

const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat())

/** The bounds and the default: `1–40, default 20`. */
function detailsOf(schema: JsonSchema): Content[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format } = schema
  const range = (least: number | undefined, most: number | undefined, unit: string): string | undefined => {
    if (least === undefined && most === undefined) return undefined
    return `${least ?? ''}–${most ?? ''}${unit}`
  }
  const parts = [
    format,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' elements'),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
  return parts.filter(part => part !== undefined)
}

/** A schema in a line, with links to entities. */
export function schemaHtml(schema: JsonSchema): Content {
  if (schema.$ref !== undefined) return entityLink(schema.$ref.replace(/.*\//, ''))
  const alternatives = schema.anyOf ?? schema.allOf
  if (alternatives) return joined(alternatives.map(schemaHtml), schema.anyOf ? ' | ' : ' + ')
  if (schema.enum) {
    const values = schema.enum.map(value => html`<code>${value ?? 'null'}</code>`)
    return joined([...joined(values, ' | '), ...detailsOf({ default: schema.default })], '').flatMap(
      (content, index) => (index === values.length * 2 - 1 ? [', ', content] : [content]),
    )
  }
  const types = typesOf(schema).map(type => (type === 'array' ? listHtml(schema) : type))
  const shown = types.length === 0 ? ['any'] : types
  return joined([joined(shown, ' | '), ...detailsOf(schema)], ', ')
}

function listHtml({ items }: JsonSchema): Content {
  return ['list of ', items ? schemaHtml(items) : 'any']
}

/** The members of an object, nested ones with dotted names. */
export function membersOf(
  schema: JsonSchema,
  prefix = '',
): readonly { name: string; schema: JsonSchema; isRequired: boolean }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const full = `${prefix}${name}`
    const inner = member.items?.properties ? membersOf(member.items, `${full}[].`) : membersOf(member, `${full}.`)
    return [{ name: full, schema: member, isRequired: schema.required?.includes(name) === true }, ...inner]
  })
  return [...own, ...(schema.allOf ?? []).flatMap(part => membersOf(part, prefix))]
}
