import type { Client } from '../../support/client.ts'
import type { Database, World } from './world.ts'

/**
 * A list of the API in which there is something, and ways to take rows out of it and to put them
 * back.
 */
export interface Rows {
  readonly client: Client
  readonly path: string
  /**
   * What is asked for that links do not carry on (api/endpoints/timelines.json), so that it has to
   * be asked for with each page.
   */
  readonly again?: string
  /** What tells each row apart in an answer, the newest first. */
  readonly keys: readonly string[]
  keysIn(json: unknown): string[]
  /** Takes a row out. */
  hide(key: string): Promise<unknown>
  /**
   * Puts a row back where it was; a list that grows at its top alone has none, and `add` instead.
   */
  show?(key: string): Promise<unknown>
  /** Puts another row on top. */
  add?(): Promise<unknown>
}

/** Makes a list of the API with so many rows, for a reader of its own. */
export type MakeList = (world: World, amount: number) => Promise<Rows>

/** Ids as keys of themselves, the newest first. */
export const newestFirst = (ids: readonly string[]): ReadonlyMap<string, string> =>
  new Map(ids.toReversed().map(id => [id, id]))

/** Rows of a table: which they are, and how the list's rows are found among them. */
export interface TableRows {
  readonly table: string
  /** Column by which a row is found, and its values, by the keys of the list; the newest first. */
  readonly column: string
  readonly ids: ReadonlyMap<string, string>
  /** Further condition on the table, such as whose rows they are. */
  readonly where?: string
}

export type Moves = Required<Pick<Rows, 'hide' | 'show'>> & Pick<Rows, 'keys'>

/**
 * Rows are deleted, and inserted again just as they were, so that they come back in their old
 * place.
 */
export function moveRows(database: Database, { table, column, ids, where = 'true' }: TableRows): Moves {
  // As text: ids are more than a number of JavaScript holds.
  const kept = new Map<string, unknown>()
  return {
    keys: [...ids.keys()],
    async hide(key) {
      const [gone] = await database(
        `delete from ${table} where ${column}::text = $1 and ${where} returning to_jsonb(${table})::text as row`,
        [ids.get(key)],
      )
      kept.set(key, gone?.['row'])
    },
    async show(key) {
      await database(
        `insert into ${table} overriding system value select * from jsonb_populate_record(null::${table}, $1::jsonb)`,
        [kept.get(key)],
      )
    },
  }
}

/** Statuses are deleted as the server does it, and undeleted. */
export function moveStatuses(database: Database, ids: ReadonlyMap<string, string>): Moves {
  const set = (key: string, time: string): Promise<unknown> =>
    database(`update statuses set deleted_at = ${time} where id = $1`, [ids.get(key)])
  return { keys: [...ids.keys()], hide: key => set(key, 'now()'), show: key => set(key, 'null') }
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** The values of a member of each element of an answer, which is a list or has one in `list`. */
export const member =
  (name: string, list?: string) =>
  (json: unknown): string[] => {
    const elements = list === undefined ? json : membersOf(json)[list]
    return Array.isArray(elements) ? elements.map((element: unknown) => String(membersOf(element)[name])) : []
  }
