import { readdirSync, readFileSync } from 'node:fs'
import type { JsonSchema } from './json_schema.ts'

/** The texts about an operation that its declaration does not contain. */
export interface Notes {
  /** Descriptions of parameters that the declaration does not describe. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The errors of the handler: for each status the texts and when they come, as Markdown. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/** Read when the document is made, so that they take no memory before. */
function readFolder(folder: URL): Record<string, unknown> {
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  return Object.assign({}, ...files.map(name => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as object))
}

/** The schemas of all entities, by name; the files group them by subject. */
export const readEntities = (): Record<string, JsonSchema> =>
  readFolder(new URL('entities/', import.meta.url)) as Record<string, JsonSchema>

/** Notes by the first method and path of the operation's declaration: `GET /api/v1/lists/:id`. */
export const readNotes = (): Record<string, Notes> =>
  readFolder(new URL('notes/', import.meta.url)) as Record<string, Notes>
