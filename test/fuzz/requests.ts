import fc from 'fast-check'
import { operations } from '../../src/app/operations.ts'
import type { JsonSchema } from '../../src/app/openapi/json_schema.ts'
import type { AnyOperation } from '../../src/platform/http/operation.ts'
import { methodsOf, pathsOf } from '../../src/platform/http/router.ts'
import { activities } from './activities.ts'
import { TYPICAL, type Typical } from './typical.ts'
import { fittingOf, hostileText, membersOf, valueOf, type FuzzValue } from './values.ts'

/** The callers of requests (world.ts). */
export const CALLERS = [
  'alice',
  'bob',
  'owner',
  'moderator',
  'unconfirmed',
  'application',
  'readOnly',
  'anonymous',
  'unknown',
] as const
/**
 * Some requests come from another server, or from somebody who has given a password and owes the
 * second factor.
 */
export type Caller = (typeof CALLERS)[number] | 'peer' | 'pending'

/** How the values are sent. */
const STYLES = ['json', 'query', 'form', 'multipart'] as const
type Style = (typeof STYLES)[number]

type Values = Readonly<Record<string, FuzzValue>>

/** A request, before its references are replaced by ids. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly caller: Caller
  /** A page: callers who have a session use that instead of a token. */
  readonly isPage: boolean
  readonly style: Style
  /** The response may be compressed. */
  readonly packed: boolean
  readonly inPath: Readonly<Record<string, FuzzValue>>
  readonly values: Values
  /** Sent instead of the values: bodies that cannot be read. */
  readonly raw?: { readonly type: string; readonly body: string } | undefined
}

/** Streams do not end. */
const isStream = ({ operation, path }: Call): boolean =>
  operation.returns === 'text/event-stream' || operation.returns === 'stream' || path.startsWith('/api/v1/streaming')

/** What an operation is called by: one method and one path. */
interface Call {
  readonly method: string
  readonly path: string
  readonly operation: AnyOperation
}

const calls: readonly Call[] = operations
  .flatMap(operation =>
    methodsOf(operation).flatMap(method => pathsOf(operation).map(path => ({ method, path, operation }))),
  )
  .filter(call => !isStream(call))

const namesIn = (path: string): string[] => [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name)

const raw = fc.record({
  type: fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
    'a/b; charset=\u007f',
    '',
  ),
  body: fc.oneof(
    hostileText,
    fc.constantFrom(
      '{',
      '[[[[',
      '{"a":1',
      '"',
      'a=%',
      'a[b][=1',
      '[][]=',
      'a[][][]=1&a=2',
      '--x\r\n',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n',
      '--x--',
    ),
    fc.nat(20_000).map(depth => '['.repeat(depth)),
    fc.nat(5_000).map(depth => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    fc.nat(3_000).map(depth => `a${'[b]'.repeat(depth)}=1`),
  ),
})

/** Files need parts, pages take forms, others every style. */
function styleOf(method: string, { page, params }: AnyOperation): fc.Arbitrary<Style> {
  if (method === 'GET' || method === 'DELETE') return fc.constant('query')
  const hasFile = Object.values(params).some(({ schema }) => schema.format === 'binary')
  if (!hasFile && page !== true) return fc.constantFrom(...STYLES)
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant<Style>(hasFile ? 'multipart' : 'form') },
    { weight: 1, arbitrary: fc.constantFrom(...STYLES) },
  )
}

/** Mostly the id of something that exists; words where the path has them. */
function pieceOf(schema: JsonSchema | undefined): fc.Arbitrary<FuzzValue> {
  const isId = schema === undefined || schema.pattern !== undefined
  return fc.oneof(
    { weight: isId ? 12 : 5, arbitrary: fc.record({ ref: fc.nat(10_000) }) },
    { weight: isId ? 0 : 8, arbitrary: valueOf(schema ?? {}) },
    { weight: 1, arbitrary: hostileText },
  )
}

function requestOf({ method, path, operation }: Call): fc.Arbitrary<FuzzRequest> {
  const names = namesIn(path)
  const others = Object.entries(operation.params).filter(([name]) => !names.includes(name))
  const required = others.filter(([, one]) => one.required).map(([name]) => name)
  const schemas = Object.fromEntries(others.map(([name, { schema }]) => [name, schema]))
  const valuesBy = (make: typeof valueOf): fc.Arbitrary<Values> =>
    fc
      .tuple(
        membersOf(schemas, make),
        fc.record(Object.fromEntries(required.map(name => [name, make(schemas[name] ?? {})]))),
      )
      .map(([some, all]) => ({ ...some, ...all }))
  // Of many members one is soon wrong: half of the requests have only proper values, few of them.
  const few = fc
    .tuple(valuesBy(fittingOf), fc.infiniteStream(fc.nat(3)))
    .map(([all, dice]): Values =>
      Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name) || dice.next().value === 0)),
    )
  const values = fc.oneof(
    { weight: 5, arbitrary: few },
    { weight: 2, arbitrary: valuesBy(fittingOf) },
    { weight: 3, arbitrary: valuesBy(valueOf) },
    { weight: 1, arbitrary: membersOf(schemas, valueOf) },
  )
  const inPath = fc.record(Object.fromEntries(names.map(name => [name, pieceOf(operation.params[name]?.schema)])))
  const isStaffs = path.includes('/admin/')
  const any = fc
    .record({
      caller: fc.oneof(
        { weight: isStaffs ? 1 : 6, arbitrary: fc.constant<Caller>('alice') },
        { weight: isStaffs ? 1 : 3, arbitrary: fc.constant<Caller>('bob') },
        { weight: isStaffs ? 6 : 1, arbitrary: fc.constant<Caller>('owner') },
        { weight: 2, arbitrary: fc.constantFrom(...CALLERS) },
      ),
      style: styleOf(method, operation),
      packed: fc.nat(7).map(number => number === 0),
      inPath,
      values,
      raw: fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: raw }),
    })
    .map(({ raw: body, ...rest }) => ({
      method,
      path,
      isPage: operation.page === true,
      ...rest,
      raw: method === 'GET' ? undefined : body,
    }))
  const typical = TYPICAL.get(`${method} ${path}`)
  if (path.endsWith('/inbox')) return fc.oneof({ weight: 1, arbitrary: any }, { weight: 9, arbitrary: deliveryOf(any) })
  return typical ? fc.oneof({ weight: 3, arbitrary: any }, { weight: 2, arbitrary: likely(any, few, typical) }) : any
}

/** Requests that succeed when nothing stands in their way, half of them with some other values. */
const likely = (
  any: fc.Arbitrary<FuzzRequest>,
  few: fc.Arbitrary<Values>,
  { caller, inPath, values }: Typical,
): fc.Arbitrary<FuzzRequest> =>
  fc.tuple(any, few, fc.boolean()).map(([request, some, isAlone]) => ({
    ...request,
    raw: undefined,
    caller: caller ?? request.caller,
    inPath: { ...request.inPath, ...inPath },
    values: { ...(isAlone ? {} : some), ...values },
  }))

/** Signed deliveries of another server. */
const deliveryOf = (any: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(any, activities)
    .map(([request, values]) => ({ ...request, raw: undefined, caller: 'peer', style: 'json', values }))

/**
 * How many requests are made at once. Making them takes a third of a millisecond each, in which no
 * response is received, so that they are few.
 */
export const BATCH = 25

/**
 * Requests that follow from a number, to the operations that match, such as `POST /inbox`: as their
 * declarations describe them or not.
 */
export function openRequests(matching = /./): (seed: number) => FuzzRequest[] {
  const matched = calls.filter(({ method, path }) => matching.test(`${method} ${path}`))
  const anyRequest = fc.oneof(...matched.map(call => requestOf(call)))
  return seed => fc.sample(anyRequest, { seed, numRuns: BATCH })
}
