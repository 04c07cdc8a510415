import assert from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'
import { test } from 'tap'
import { makeDocument } from '../../../src/app/openapi/document.ts'
import type { JsonSchema } from '../../../src/app/openapi/json_schema.ts'
import { readEntities, readNotes } from '../../../src/app/openapi/texts.ts'
import { operations } from '../../../src/app/operations.ts'
import { methodsOf, pathsOf } from '../../../src/platform/http/router.ts'
import { contractOperations, entities, keyOf } from '../../conformance/contract.ts'

const document = makeDocument(operations, 'https://social.example')

/** Every value below, with the path that leads to it. */
function* walk(value: unknown, path = '#'): Generator<[path: string, value: object]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value]
  for (const [name, member] of Object.entries(value)) yield* walk(member, `${path}/${name}`)
}

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
  assert.ok(valid, JSON.stringify(errors, undefined, 2)?.slice(0, 4000))
})

test('every reference leads to a component, and every component is used', async () => {
  const references = new Set<string>()
  for (const [, value] of walk(document)) {
    if ('$ref' in value && typeof value.$ref === 'string') references.add(value.$ref)
  }
  const components = new Set(
    (['schemas', 'headers', 'responses'] as const).flatMap(kind =>
      Object.keys(document.components[kind]).map(name => `#/components/${kind}/${name}`),
    ),
  )
  assert.deepEqual(
    [...references].filter(reference => !components.has(reference)),
    [],
  )
  // Sent on other ways: streams, invitations, and the pages of the instance.
  const elsewhere = /\/(?:StreamingMessage|InviteInfo|AnnualReportEvent|Trends_History|IdentityProof)$/
  assert.deepEqual(
    [...components].filter(component => !references.has(component) && !elsewhere.test(component)),
    [],
  )
})

test('it holds every operation of the contract', async () => {
  const documented = new Set(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => keyOf(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1'))),
    ),
  )
  // Pages that the contract names as well.
  const isPage = (path: string): boolean => path.startsWith('/oauth/auth') || path.startsWith('/invite')
  const served = new Set(
    operations.flatMap(one => pathsOf(one).flatMap(path => methodsOf(one).map(method => keyOf(method, path)))),
  )
  const missing = contractOperations.filter(({ method, path }) => {
    const key = keyOf(method, path)
    return served.has(key) && !documented.has(key) && !isPage(path)
  })
  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

test('ids of operations are unique', async () => {
  const ids = Object.values(document.paths).flatMap(item => Object.values(item).map(({ operationId }) => operationId))
  assert.equal(new Set(ids).size, ids.length)
})

test('notes belong to existing operations and parameters', async () => {
  const declared = new Map(operations.map(one => [`${methodsOf(one)[0]} ${pathsOf(one)[0]}`, one]))
  const strays = Object.entries(readNotes()).flatMap(([key, { parameters = {} }]) => {
    const operation = declared.get(key)
    if (!operation) return [key]
    return Object.keys(parameters)
      .filter(name => !(name in operation.params) || operation.params[name]?.schema.description !== undefined)
      .map(name => `${key} ${name}`)
  })
  assert.deepEqual(strays, [])
})

/** The members of an entity, with those of the entities that it extends. */
function membersOf(schema: JsonSchema): Map<string, { schema: JsonSchema; isRequired: boolean }> {
  const members = new Map<string, { schema: JsonSchema; isRequired: boolean }>()
  for (const part of schema.allOf ?? []) {
    const base = part.$ref === undefined ? part : document.components.schemas[part.$ref.replace(/.*\//, '')]
    for (const [name, member] of membersOf(base ?? {})) members.set(name, member)
  }
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    members.set(name, { schema: member, isRequired: schema.required?.includes(name) === true })
  return members
}

test('the entities have the members of the contract', async () => {
  const faults: string[] = []
  const schemas = readEntities()
  assert.deepEqual(Object.keys(schemas).toSorted(), Object.keys(entities).toSorted())
  for (const [entity, fields] of Object.entries(entities)) {
    const members = membersOf(schemas[entity] ?? {})
    const tops = Object.keys(fields).filter(
      field => !field.includes('.') || field.startsWith('posting') || field.startsWith('reading'),
    )
    for (const field of tops) {
      const name = field.replace(/\?$/, '')
      const member = members.get(name)
      if (!member) faults.push(`${entity}.${name} is missing`)
      else if (member.isRequired === field.endsWith('?')) faults.push(`${entity}.${name}: required differs`)
    }
    for (const name of members.keys()) {
      const isKnown = Object.keys(fields).some(field => field.replace(/\?$/, '').split(/(?:\[\])?\./)[0] === name)
      if (!isKnown) faults.push(`${entity}.${name} is not in the contract`)
    }
  }
  assert.deepEqual(faults, [])
})
