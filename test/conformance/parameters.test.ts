import assert from 'node:assert/strict'
import { test } from 'tap'
import { operations } from '../../src/app/operations.ts'
import { methodsOf, pathsOf } from '../../src/platform/http/router.ts'
import type { JsonSchema } from '../../src/app/openapi/json_schema.ts'
import type { AnyOperation } from '../../src/platform/http/operation.ts'
import type { Client } from '../support/client.ts'
import { people } from '../support/people.ts'
import { keyOf } from './contract.ts'
import { contractLines, type ContractParameter } from './lines.ts'

/* The parameters of the contract: declared, required, and limited as it says. */

const served = new Map(
  operations
    .filter(one => one.auth !== 'handler' && one.page !== true)
    .flatMap(one => pathsOf(one).flatMap(path => methodsOf(one).map(method => [keyOf(method, path), one] as const))),
)

interface Parameter extends ContractParameter {
  readonly key: string
  readonly operation: AnyOperation
}

const parameters: readonly Parameter[] = contractLines
  .filter(({ removed }) => !removed)
  .flatMap(({ key, params }) => {
    const [method = '', path = ''] = key.split(' ')
    const operation = served.get(keyOf(method, path))
    return operation ? params.map(one => ({ ...one, key, operation })) : []
  })

/** `fields_attributes[][name]` and `poll[options]` as steps; positions in lists are left out. */
const stepsOf = (name: string): string[] => name.split(/[[\]]+/).filter(step => !/^(?:|\d+|index|n)$/.test(step))

/** The schema of a parameter, also of a member of an object; undefined when it is not declared. */
function schemaOf({ operation, name }: Parameter): { schema: JsonSchema; isRequired: boolean } | undefined {
  const [first = '', ...rest] = stepsOf(name)
  const declared = Object.hasOwn(operation.params, first) ? operation.params[first] : undefined
  if (!declared) return undefined
  let schema: JsonSchema = declared.schema
  let isRequired = declared.required
  for (const step of rest) {
    const holder: JsonSchema = schema.items ?? schema
    // An object with any members.
    if (!holder.properties) return { schema: {}, isRequired: false }
    const member = holder.properties[step]
    if (!member) return undefined
    isRequired = holder.required?.includes(step) === true
    schema = member
  }
  return { schema, isRequired }
}

test('every parameter of the contract is declared', async () => {
  // Parameters in the path exist by the path; `*` stands for several.
  const missing = parameters.filter(one => one.in !== 'path' && !one.name.includes('*') && !schemaOf(one))
  assert.deepEqual(
    missing.map(one => `${one.key} ${one.name}`),
    [],
  )
})

test('limits and enumerations are those of the contract', async () => {
  const faults = parameters.flatMap(one => {
    const schema = schemaOf(one)?.schema
    if (!schema) return []
    const most = schema.maximum ?? schema.maxLength ?? schema.maxItems
    const found: string[] = []
    if (one.max !== undefined && most !== undefined && most !== one.max) found.push(`at most ${most}, not ${one.max}`)
    const values = schema.enum ?? schema.items?.enum
    const wanted = one.enum?.filter(value => value !== '')
    if (wanted && wanted.length > 0 && values) {
      const unknown = wanted.filter(value => !values.includes(value))
      if (unknown.length > 0) found.push(`does not know ${unknown.join()}`)
    }
    return found.map(fault => `${one.key} ${one.name}: ${fault}`)
  })
  assert.deepEqual(faults, [])
})

/** Sends a text for a parameter, in the body or the query, with an unknown id in the path. */
const send = (client: Client, { key, in: place }: Parameter, body: Record<string, unknown>) => {
  const [method = '', path = ''] = key.split(' ')
  const filled = path.replace(/:\w+/g, '1')
  return place === 'query'
    ? client.request(method, filled, { query: body as Record<string, string> })
    : client.request(method, filled, { body })
}

const REFUSED = [400, 401, 403, 404, 422]

test('texts that are too long and words that are not listed are refused', async t => {
  const { alice } = await people(t, 'alice')
  const faults: string[] = []
  for (const one of parameters) {
    const schema = schemaOf(one)?.schema
    const isPlain = stepsOf(one.name).length === 1 && one.in !== 'path' && schema?.type === 'string'
    if (!isPlain || one.operation.auth === 'admin') continue
    if (schema.maxLength !== undefined) {
      const { status } = await send(alice, one, { [one.name]: 'x'.repeat(schema.maxLength + 1) })
      if (!REFUSED.includes(status)) faults.push(`${one.key} ${one.name} too long: ${status}`)
    }
    if (schema.enum) {
      const { status } = await send(alice, one, { [one.name]: 'nothing-of-the-kind' })
      if (!REFUSED.includes(status)) faults.push(`${one.key} ${one.name} is not listed: ${status}`)
    }
  }
  assert.deepEqual(faults, [])
})

test('a limit beyond the maximum means the maximum, and zero an empty page', async t => {
  const { alice } = await people(t, 'alice')
  const faults: string[] = []
  for (const one of parameters.filter(
    ({ name, key }) => name === 'limit' && !key.includes(':') && !key.includes('/admin/'),
  )) {
    for (const limit of ['100000', '-1', '0', 'abc', '']) {
      const { status, headers } = await send(alice, one, { limit })
      const allowed = one.key === 'GET /api/v2/search' ? [200, 400, 422] : [200, 404, 422]
      if (!allowed.includes(status)) faults.push(`${one.key} limit=${limit}: ${status}`)
      if (limit === '0' && headers.get('link') !== null && !/endorsements|accounts$/.test(one.key))
        faults.push(`${one.key} limit=0 has a Link header`)
    }
  }
  assert.deepEqual(faults, [])
})
