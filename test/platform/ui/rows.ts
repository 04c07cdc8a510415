import type { Client } from '../../support/client.ts'
import type { Database, World } from './world.ts'

/** A non-empty list of the API whose rows can be removed and restored. */
export interface Rows {
  readonly client: Client
  readonly path: string
  /** Parameters that links do not repeat, so that each page needs them again. */
  readonly again?: string
  /** The key of each row in a response, newest first. */
  readonly keys: readonly string[]
  keysIn(json: unknown): string[]
  /** Removes a row. */
  hide(key: string): Promise<unknown>
  /** Restores a row at its place; missing in lists that only grow at the top, which have `add`. */
  show?(key: string): Promise<unknown>
  /** Adds another row at the top. */
  add?(): Promise<unknown>
}

/** Creates a list of the API with a number of rows for a new reader. */
export type MakeList = (world: World, amount: number) => Promise<Rows>

/** Maps each id to itself, newest first. */
export const newestFirst = (ids: readonly string[]): ReadonlyMap<string, string> =>
  new Map(ids.toReversed().map(id => [id, id]))

/** The rows of a table that a list shows. */
export interface TableRows {
  readonly table: string
  /** The column that identifies a row, and its values by the keys of the list, newest first. */
  readonly column: string
  readonly ids: ReadonlyMap<string, string>
  /** A further condition on the table, such as the owner of the rows. */
  readonly where?: string
}

export type Moves = Required<Pick<Rows, 'hide' | 'show'>> & Pick<Rows, 'keys'>

/** Deletes rows and inserts them again unchanged, so that they return to their places. */
export function moveRows(database: Database, { table, column, ids, where = 'true' }: TableRows): Moves {
  // As text: ids are more than a number of JavaScript holds.
  const removedRows = new Map<string, unknown>()
  return {
    keys: [...ids.keys()],
    async hide(key) {
      const [deleted] = await database(
        `delete from ${table} where ${column}::text = $1 and ${where} returning to_jsonb(${table})::text as row`,
        [ids.get(key)],
      )
      removedRows.set(key, deleted?.['row'])
    },
    async show(key) {
      await database(
        `insert into ${table} overriding system value select * from jsonb_populate_record(null::${table}, $1::jsonb)`,
        [removedRows.get(key)],
      )
    },
  }
}

/** Marks statuses as deleted, as the server does, and restores them. */
export function moveStatuses(database: Database, ids: ReadonlyMap<string, string>): Moves {
  const set = (key: string, time: string): Promise<unknown> =>
    database(`update statuses set deleted_at = ${time} where id = $1`, [ids.get(key)])
  return { keys: [...ids.keys()], hide: key => set(key, 'now()'), show: key => set(key, 'null') }
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** The values of a member of each element of a response, which is a list or has one in `list`. */
export const member =
  (name: string, list?: string) =>
  (json: unknown): string[] => {
    const elements = list === undefined ? json : membersOf(json)[list]
    return Array.isArray(elements) ? elements.map((element: unknown) => String(membersOf(element)[name])) : []
  }
