import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { SCOPES } from '../../src/core/scopes.ts'
import { Client, type ClientResponse } from '../support/client.ts'
import { makeToken, people, person, sql } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { ContractOperation } from './contract.ts'
import { walked, type Walked, type WalkedKind } from './walked.ts'

/*
 * Walks over all operations of the contract as callers of every kind, and compares with the lines
 * that say what happens. The errors without a token, a scope or a user: operations.test.ts.
 */

type Answer = readonly [status: number, error: string]

const linesOf = (...kinds: WalkedKind[]): readonly Walked[] => walked.filter(({ kind }) => kinds.includes(kind))

const pathOf = ({ path }: ContractOperation): string => path.replace(/:\w+/g, '1')

const errorOf = ({ json, text }: ClientResponse): string =>
  typeof json === 'object' && json !== null && 'error' in json ? String(json.error) : text.slice(0, 80)

const show = (client: Client, one: ContractOperation, method = one.method): Promise<ClientResponse> =>
  client.request(method, pathOf(one))

/** Calls the operation of each line as the client, and reports where the response is another. */
async function faultsOf(
  client: Client,
  who: string,
  lines: readonly Walked[],
  wanted: (line: Walked, response: ClientResponse) => Answer | boolean,
): Promise<string[]> {
  const faults: string[] = []
  const left = [...lines]
  const work = async (): Promise<void> => {
    for (let line = left.shift(); line; line = left.shift()) {
      const response = await show(client, line.operation)
      const expected = wanted(line, response)
      const isRight =
        typeof expected === 'boolean' ? expected : response.status === expected[0] && errorOf(response) === expected[1]
      if (!isRight)
        faults.push(`${line.id} ${who}: ${response.status} ${errorOf(response)}; the contract says ${line.text}`)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return faults
}

/** Status and text of a line such as `401 The access token was revoked`. */
function asPrinted({ text }: Walked): Answer {
  const [status = '', ...words] = text.split(' ')
  return [Number(status), words.join(' ')]
}

test('unknown and revoked tokens are refused as the contract says', async t => {
  const { server, alice } = await people(t, 'alice')
  const unknown = new Client(server, 'unknown')
  const revoked = new Client(server, await makeToken(server, alice.userId))
  await sql(
    server,
    `with gone as (update oauth_tokens set revoked_at = now() where id = (select max(id) from oauth_tokens) returning id)
     insert into events (kind, object_id, data) select 'token.revoked', gone.id, '{}' from gone`,
  )
  const faults = [
    ...(await faultsOf(unknown, 'with an unknown token', linesOf('unknown token'), asPrinted)),
    ...(await faultsOf(revoked, 'with a revoked token', linesOf('revoked token'), asPrinted)),
    ...(await faultsOf(unknown, 'with an unknown token', linesOf('useless token'), asPrinted)),
    // The error of a revoked token says so (conventions.md), and no token expires.
    ...(await faultsOf(revoked, 'with a revoked token', linesOf('useless token'), (_, { status }) => status === 401)),
  ]
  assert.deepEqual(faults, [])
})

test('tokens without a scope, and of applications, are refused as the contract says', async t => {
  const { server, alice } = await people(t, 'alice')
  const scopeless = new Client(server, await makeToken(server, alice.userId, []))
  const application = new Client(server, await makeToken(server, null, SCOPES))
  const faults = [
    ...(await faultsOf(scopeless, 'without a scope', linesOf('no scope'), asPrinted)),
    ...(await faultsOf(application, 'by an application', linesOf('no user'), asPrinted)),
  ]
  assert.deepEqual(faults, [])
})

test('each scope alone is enough, and the other ones are not', async t => {
  const { server, alice } = await people(t, 'alice')
  const [read, write] = await Promise.all(['read', 'write'].map(scope => makeToken(server, alice.userId, [scope])))
  const isRefused = ({ status }: ClientResponse): boolean => status === 403
  const isOutside = (response: ClientResponse): boolean =>
    errorOf(response) === 'This action is outside the authorized scopes'
  const faults = [
    ...(await faultsOf(new Client(server, read), 'with read', linesOf('read token'), (_, response) =>
      isRefused(response),
    )),
    ...(await faultsOf(new Client(server, write), 'with write', linesOf('write token'), (_, response) =>
      isRefused(response),
    )),
  ]
  for (const parent of ['read', 'write'] as const) {
    const lines = linesOf('parent scope').filter(({ text }) => text.includes(` ${parent} `))
    const client = new Client(server, parent === 'read' ? read : write)
    faults.push(...(await faultsOf(client, `with ${parent}`, lines, (_, response) => !isOutside(response))))
  }
  assert.deepEqual(faults, [])
})

/** The states of accounts and users that may not act, and the error. */
const STATES: Readonly<Record<string, readonly [options: object, error: string, kinds: WalkedKind[]]>> = {
  unconfirmed: [
    { user: { confirmed_at: null } },
    'Your login is missing a confirmed e-mail address',
    ['unconfirmed', 'any state'],
  ],
  pending: [{ user: { approved: false } }, 'Your login is currently pending approval', ['pending', 'any state']],
  disabled: [{ user: { disabled: true } }, 'Your login is currently disabled', ['disabled', 'any state']],
  suspended: [
    { account: { suspended_at: new Date() } },
    'Your login is currently disabled',
    ['disabled', 'any state', 'suspended'],
  ],
  memorial: [{ account: { memorial: true } }, 'Your login is currently disabled', ['disabled', 'any state']],
  moved: [{ account: {} }, 'Your login is currently disabled', ['disabled', 'any state']],
}

test('users who may not act are refused as the contract says', async t => {
  const { server, bob } = await people(t, 'bob')
  const faults: string[] = []
  for (const [state, [options, error, kinds]] of Object.entries(STATES)) {
    const given = state === 'moved' ? { account: { moved_to_account_id: bob.id } } : options
    const caller = await person(server, state, given)
    faults.push(...(await faultsOf(caller, `by a user who is ${state}`, linesOf(...kinds), () => [403, error])))
  }
  assert.deepEqual(faults, [])
})

test('callers without a token and without a role are refused as the contract says', async t => {
  const { server, alice, anonymous } = await people(t, 'alice')
  const application = new Client(server, await makeToken(server, null, SCOPES))
  const status = ({ text }: Walked): number => Number(/\d{3}/.exec(text)?.[0])
  const faults = await faultsOf(
    anonymous,
    'without a token',
    linesOf('no token'),
    (line, response) => response.status === status(line),
  )
  for (const [client, who] of [
    [anonymous, 'without a token'],
    [application, 'by an application'],
    [alice, 'by a user without a role'],
  ] as const)
    faults.push(...(await faultsOf(client, who, linesOf('not staff'), asPrinted)))
  for (const client of [anonymous, application, alice])
    faults.push(
      ...(await faultsOf(client, 'by anybody', linesOf('always 403'), (_, response) => response.status === 403)),
    )
  assert.deepEqual(faults, [])
})

test('PATCH is routed as PUT', async t => {
  const { anonymous } = await people(t)
  for (const { operation, id } of linesOf('patch')) {
    const [put, patch] = [await show(anonymous, operation, 'PUT'), await show(anonymous, operation, 'PATCH')]
    assert.deepEqual([patch.status, patch.text], [put.status, put.text], id)
    assert.equal(put.status, 401, id)
  }
})

/** A second server on the database of the first, which reads the setting at its start. */
async function closedServer(t: Test, setting: string): Promise<TestServer> {
  const { databaseUrl } = await startServer(t)
  await sql({ url: '', databaseUrl }, `insert into settings (key, value) values ($1, 'true')`, [setting])
  return startServer(t, { databaseUrl })
}

test('closed servers refuse callers without a user as the contract says', async t => {
  const closed = await closedServer(t, 'disallow_unauthenticated_api_access')
  const limited = await closedServer(t, 'limited_federation_mode')
  const faults: string[] = []
  for (const [server, kinds] of [
    [closed, ['closed']],
    [limited, ['closed', 'limited']],
  ] as const) {
    for (const token of [undefined, await makeToken(server, null, SCOPES)])
      faults.push(...(await faultsOf(new Client(server, token), `at ${kinds.join()}`, linesOf(...kinds), asPrinted)))
  }
  assert.deepEqual(faults, [])
})

test('operations are throttled as the contract says', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' }, oneProcess: 'each process counts for itself' })
  const client = new Client(server)
  let status = 200
  for (let count = 0; status !== 429 && count < 400; count += 1)
    ({ status } = await client.get('/api/v1/custom_emojis'))
  assert.equal(status, 429)
  assert.deepEqual(await faultsOf(client, 'too often', linesOf('throttled'), asPrinted), [])
})
