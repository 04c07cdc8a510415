import type { Id } from '../../core/id.ts'
import type { LoggedEvent } from '../events/catalogue.ts'

/**
 * The types of a query's parameters and columns, as values: TypeScript's types are inferred from
 * them, and test/platform/database/queries.test.ts compares them with PostgreSQL's description of
 * each statement.
 */
export interface Column<T> {
  /** The name of the type in PostgreSQL. */
  readonly sql: string
  readonly nullable: boolean
  /** Carries the TypeScript type; never set. */
  readonly type?: T
}

const column = <T>(sql: string): Column<T> => ({ sql, nullable: false })

export const c = {
  id: column<Id>('bigint'),
  ids: column<Id[]>('bigint[]'),
  /** A 64-bit number that is not an id, such as a permission mask: a decimal string. */
  bigint: column<string>('bigint'),
  integer: column<number>('integer'),
  integers: column<number[]>('integer[]'),
  float: column<number>('double precision'),
  floats: column<number[]>('double precision[]'),
  boolean: column<boolean>('boolean'),
  text: column<string>('text'),
  texts: column<string[]>('text[]'),
  timestamp: column<Date>('timestamp with time zone'),
  date: column<string>('date'),
  bytes: column<Buffer>('bytea'),
  inet: column<string>('inet'),
  inets: column<string[]>('inet[]'),
  xid8: column<string>('xid8'),
  visibility: column<'public' | 'unlisted' | 'private' | 'direct' | 'limited'>('visibility'),
  /**
   * JSON made by our own SQL or code; T is its shape. As a parameter it is passed as a value, not
   * as a string.
   */
  json: <T>(): Column<T> => column<T>('jsonb'),
  /**
   * The events that a writing statement logged: `(select jsonb_agg(logged.event) from logged) as
   * events`, where `logged` returns `event_json(events) as event`.
   */
  events: { sql: 'jsonb', nullable: true } as Column<LoggedEvent[] | null>,
  nullable: <T>(inner: Column<T>): Column<T | null> => ({ sql: inner.sql, nullable: true }),
} as const

export type Columns = Readonly<Record<string, Column<unknown>>>
export type Row<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never }
