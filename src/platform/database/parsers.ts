import pg from 'pg'
import { intern, internPiece } from '../../core/interner.ts'
import { ownBytes } from '../../core/own_bytes.ts'

const { getTypeParser, builtins } = pg.types
const asText = (value: string): string => value

const BIGINT_ARRAY = 1016
const FLOAT_ARRAY = 1022
/** Arrays of numbers have no quotes; the general parser takes twenty times as long. */
const toIds = (value: string): (string | null)[] =>
  value === '{}'
    ? []
    : value
        .slice(1, -1)
        .split(',')
        .map(id => (id === 'NULL' ? null : internPiece(id)))

const toNumbers = (value: string): number[] => (value === '{}' ? [] : value.slice(1, -1).split(',').map(Number))

const toTimestamp = getTypeParser(builtins.TIMESTAMPTZ, 'text')
const ZERO = '0'.charCodeAt(0)
const DASH = '-'.charCodeAt(0)

/**
 * V8 reads the years 1000 to 9999 in UTC, the time zone of each session, in a third of the time of
 * the general parser, which reads the others.
 */
const toDate = (value: string): unknown =>
  value.charCodeAt(0) !== ZERO && value.charCodeAt(4) === DASH && value.endsWith('+00')
    ? new Date(value)
    : toTimestamp(value)

const readBytes: (value: string) => Buffer = getTypeParser(builtins.BYTEA, 'text')

/** Dates stay strings: a JavaScript Date would shift them by the time zone. */
const PARSERS = new Map<number, (value: string) => unknown>([
  [builtins.DATE, asText],
  [builtins.TIMESTAMPTZ, toDate],
  [builtins.INT8, intern],
  [builtins.BYTEA, value => ownBytes(readBytes(value))],
  [BIGINT_ARRAY, toIds],
  [FLOAT_ARRAY, toNumbers],
])

/** Reads values of the type with this OID from PostgreSQL's text format. */
export const parserOf = (oid: number): ((value: string) => unknown) => PARSERS.get(oid) ?? getTypeParser(oid, 'text')

/** The same for statements that the driver runs by itself. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((...parameters: Parameters<typeof getTypeParser>) =>
    PARSERS.get(parameters[0]) ?? getTypeParser(...parameters)) as pg.CustomTypesConfig['getTypeParser'],
}
