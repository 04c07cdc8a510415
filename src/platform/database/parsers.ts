import pg from 'pg'
import { intern, internPiece } from '../../core/interner.ts'

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

/** Dates stay strings: a JavaScript Date would shift them by the time zone. */
const PARSERS = new Map<number, (value: string) => unknown>([
  [builtins.DATE, asText],
  [builtins.INT8, intern],
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
