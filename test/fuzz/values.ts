import fc from 'fast-check'
import type { JsonSchema } from '../../src/app/openapi/json_schema.ts'
import type { NamedPool } from './named_pools.ts'

/** A value of a request. A reference stands for the id of something that exists by then. */
export type FuzzValue =
  string | number | boolean | null | readonly FuzzValue[] | Reference | { readonly [name: string]: FuzzValue }

/** The id of something that exists when the request is sent (known_ids.ts). */
export interface Reference {
  readonly ref: number
  /** Of the values that a world has put by under this name, the next. */
  readonly of?: NamedPool
}

export const isReference = (value: FuzzValue): value is Reference =>
  typeof value === 'object' && value !== null && 'ref' in value && typeof value.ref === 'number'

/** Texts that have broken servers before: ends of ranges, encodings, syntax of what is behind. */
const NOTORIOUS = [
  [
    '',
    ' ',
    '\t\n',
    '\0',
    'a\0b',
    '\ud800',
    '\udc00x',
    '\u202eabc',
    '\ufeff',
    '\ufffe',
    'İ',
    'ﷺ',
    '👩‍👩‍👧‍👦',
    'e\u0301'.repeat(50),
  ],
  ['0', '-1', '00', '1.5', '1e3', '1e999', '-0', 'NaN', 'Infinity', '0x10', '٣', '2147483648', '4294967296'],
  ['9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551616', '9'.repeat(400)],
  ['true', 'false', 'null', 'undefined', '[]', '{}', '[', '{"a":', '__proto__', 'constructor', 'toString'],
  [
    "'",
    '"',
    "';--",
    "' or 1=1",
    '\\',
    '\\0',
    '%',
    '%00',
    '%_%',
    '%ff',
    '$1',
    '${x}',
    '*',
    '(',
    '(?',
    '[a-',
    ':*',
    '!',
    '<->',
    '& |',
  ],
  [
    '<script>',
    '<a href="javascript:x">',
    '&lt;',
    '&#0;',
    ']]>',
    '..',
    '../../etc/passwd',
    '/',
    '//',
    '?',
    '#',
    'file:///',
    'http://[',
    'http://127.0.0.1:1/',
  ],
  ['@', '@a', '@a@', '@a@b@c', 'a@b.example', '@alice@127.0.0.1:1', '#', '#a', '#١', ':a:', '::', 'acct:a@b'],
  [
    '2024-02-30',
    '0000-00-00',
    '0001-01-01',
    '9999-12-31T23:59:60Z',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20',
    '294277-01-01',
    '2024-01-01T00:00:00+99:99',
  ],
  ['en', 'EN-us', 'xx', 'zh-Hant-TW', 'en;q=0', 'home', 'public', 'private', 'direct', 'all', 'none'],
].flat()

/*
 * Each is made once: fast-check looks up every character of its units when it prepares such a text,
 * which takes a second.
 */
const LONGEST = 200
const graphemes = fc.string({ unit: 'grapheme', maxLength: LONGEST })
const LAST_CHARACTER = 0x10ffff
/** Any code points, lone surrogates too. */
const characters = fc
  .array(fc.integer({ min: 0, max: LAST_CHARACTER }), { maxLength: 30 })
  .map(points => String.fromCodePoint(...points))

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NOTORIOUS) },
  { weight: 1, arbitrary: characters },
  { weight: 1, arbitrary: graphemes },
  {
    weight: 1,
    arbitrary: fc
      .record({
        unit: fc.constantFrom('a', ' ', 'é', '😀', '@a ', '#b ', 'http://127.0.0.1:1/c ', '<', '\n'),
        times: fc.integer({ min: 20, max: 6000 }),
      })
      .map(({ unit, times }) => unit.repeat(times)),
  },
)

const reference: fc.Arbitrary<Reference> = fc.record({ ref: fc.nat(10_000) })
const scalar: fc.Arbitrary<FuzzValue> = fc.oneof(
  hostileText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  reference,
)

/** A value of another kind than is declared. */
const strange: fc.Arbitrary<FuzzValue> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 5 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.oneof(hostileText, fc.constantFrom('0', '1', 'id', '')), scalar, { maxKeys: 4 }),
  },
  { weight: 1, arbitrary: fc.array(fc.array(scalar, { maxLength: 2 }), { maxLength: 2 }) },
)

const typeOf = ({ type }: JsonSchema): string | undefined =>
  typeof type === 'string' ? type : type?.find(one => one !== 'null')

const DAY_MS = 86_400_000

function textOf(schema: JsonSchema): fc.Arbitrary<FuzzValue> {
  const listed = schema.enum?.filter(one => one !== null)
  if (listed && listed.length > 0) return fc.constantFrom(...listed)
  if (schema.pattern === '^[0-9]+$')
    return fc.oneof(
      { weight: 9, arbitrary: reference },
      { weight: 1, arbitrary: fc.bigInt(1n, 2n ** 63n - 1n).map(String) },
    )
  if (schema.format === 'date-time' || schema.format === 'date')
    return fc
      .date({ min: new Date(Date.UTC(2020, 0)), max: new Date(Date.UTC(2040, 0)), noInvalidDate: true })
      .map(date =>
        schema.format === 'date'
          ? new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
          : date.toISOString(),
      )
  const longest = schema.maxLength ?? 600
  return fc.oneof(
    { weight: 4, arbitrary: fc.lorem({ maxCount: 4 }).map(text => text.slice(0, longest)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'tapir',
        'quiet',
        'tea time',
        '@alice hello',
        'a #quiet morning http://127.0.0.1:1/x',
        'en',
        'alice',
      ),
    },
    { weight: 1, arbitrary: graphemes.map(text => text.slice(0, longest)) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(longest), 'é'.repeat(longest)) },
  )
}

/** Makes the values of a part of a schema. */
type Make = (schema: JsonSchema) => fc.Arbitrary<FuzzValue>

const LARGEST = 2 ** 31 - 1

function wholeNumberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const min = schema.minimum ?? 0
  return fc.integer({ min, max: Math.max(min, Math.min(schema.maximum ?? 100, LARGEST)) })
}

/** Values that the schema allows. */
function fitting(schema: JsonSchema, make: Make): fc.Arbitrary<FuzzValue> {
  switch (typeOf(schema)) {
    case 'integer':
      return wholeNumberOf(schema)
    case 'number':
      return fc.double({ noNaN: true })
    case 'boolean':
      return fc.oneof(fc.boolean(), fc.constantFrom('1', '0', 'true', 'false', 'on', 'off'))
    case 'array':
      return fc.array(make(schema.items ?? {}), {
        minLength: Math.min(schema.minItems ?? 0, 6),
        maxLength: Math.min(schema.maxItems ?? 6, 6),
      })
    case 'object':
      return membersOf(schema.properties ?? {}, make)
    case 'string':
      return textOf(schema)
    case undefined:
    default:
      return strange
  }
}

/** The arbitraries of a kind, made once for schemas that are alike. */
function makeOnce(make: Make): Make {
  const made = new Map<string, fc.Arbitrary<FuzzValue>>()
  return schema => {
    const key = JSON.stringify(schema, (name, value: unknown) => (name === 'description' ? undefined : value))
    const values = made.get(key) ?? make(schema)
    made.set(key, values)
    return values
  }
}

/** Only values that the schema allows: for requests that reach what they ask for. */
export const fittingOf: Make = makeOnce(schema => fitting(schema, fittingOf))

/** Ends of the ranges of numbers. */
const extremes = fc.constantFrom(0, 1, -1, 40, LARGEST, LARGEST + 1, 2 ** 53, -(2 ** 63))

/** Mostly values that the schema allows, so that many requests get past the validation. */
export const valueOf: Make = makeOnce(schema =>
  fc.oneof(
    { weight: 6, arbitrary: fitting(schema, valueOf) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: strange },
    { weight: typeOf(schema) === 'integer' ? 2 : 0, arbitrary: extremes },
  ),
)

/** An object with some of the members. */
export const membersOf = (
  schemas: Readonly<Record<string, JsonSchema>>,
  make: Make,
): fc.Arbitrary<Readonly<Record<string, FuzzValue>>> =>
  fc
    .record(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, make(schema)])), {
      requiredKeys: [],
    })
    .map(some =>
      Object.fromEntries(Object.entries(some).filter((one): one is [string, FuzzValue] => one[1] !== undefined)),
    )
