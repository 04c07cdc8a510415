import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { personWithPassword, registerApplication } from '../../support/oauth.ts'
import { makeToken, sql } from '../../support/people.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'

const CONFIRMATIONS = '/api/v1/emails/confirmations'
const CHECK = '/api/v1/emails/check_confirmation'

/** Creates an unconfirmed user with a token of the application that created the account. */
async function waiting(server: TestServer, name: string): Promise<{ client: Client; userId: string }> {
  const application = await registerApplication(server)
  const user = { confirmed_at: null, created_by_application_id: application.id }
  const { userId } = await personWithPassword(server, name, { user })
  const client = new Client(server, await makeToken(server, userId, ['read', 'write']))
  await sql(server, 'update oauth_tokens set application_id = $1 where user_id = $2', [application.id, userId])
  return { client, userId }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Malformed bodies, with the status of the response. */
const BODIES: readonly (readonly [what: string, body: unknown, headers: Record<string, string>, status: number])[] = [
  ['an array', { email: ['a@example.com'] }, {}, 422],
  ['a hash', { email: { a: 'b' } }, {}, 422],
  ['null', { email: null }, {}, 200],
  ['an empty text', { email: '' }, {}, 200],
  ['blanks', { email: ' \t ' }, {}, 200],
  ['a number', { email: 42 }, {}, 422],
  ['true', { email: true }, {}, 422],
  ['a NUL', { email: 'a\0b@example.com' }, {}, 400],
  ['half a character', { email: '\ud800@example.com' }, {}, 400],
  ['too long', { email: `${'a'.repeat(400)}@example.com` }, {}, 422],
  ['two lines', { email: 'a@example.com\r\nBcc: b@example.com' }, {}, 422],
  ['two addresses', { email: 'a@example.com, b@example.com' }, {}, 422],
  ['a name', { email: 'A <a@example.com>' }, {}, 422],
  ['a domain that is none', { email: 'a@-.-' }, {}, 422],
  ['an address as a host', { email: 'a@[127.0.0.1]' }, {}, 422],
  ['no JSON', '{"email":', JSON_TYPE, 400],
  ['a list', '[]', JSON_TYPE, 200],
  ['a bare text', '"a@example.com"', JSON_TYPE, 200],
  ['broken percents', 'email=%zz%ff', FORM_TYPE, 400],
  ['another type', 'email', { 'content-type': 'text/plain' }, 415],
  ['no body', undefined, {}, 200],
]

test('malformed requests to resend the confirmation never cause a server error', async () => {
  const server = await sharedServer()
  const { client, userId } = await waiting(server, 'alice')
  const found: Record<string, number> = {}
  for (const [what, body, headers] of BODIES) found[what] = (await client.post(CONFIRMATIONS, body, headers)).status
  assert.deepEqual(found, Object.fromEntries(BODIES.map(([what, , , status]) => [what, status])))
  const [row] = await sql(server, 'select unconfirmed_email from users where id = $1', [userId])
  assert.equal(row?.['unconfirmed_email'], null, 'no body changed the address')
})

test('malformed requests to check the confirmation never cause a server error', async () => {
  const server = await sharedServer()
  const { client, userId } = await waiting(server, 'alice')
  const cookies = [
    '_session_id=',
    '_session_id=x',
    '_session_id=%00%ff',
    `_session_id=${'x'.repeat(3000)}`,
    '_mastodon_session=a.b',
  ]
  for (const cookie of cookies) {
    const { status, json } = await new Client(server).get(CHECK, {}, { cookie })
    assert.deepEqual([status, json], [401, { error: 'This method requires an authenticated user' }], cookie)
  }
  for (const authorization of ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer \u00ff', `Bearer ${'x'.repeat(2000)}`])
    assert.equal((await new Client(server).get(CHECK, {}, { authorization })).status, 401, authorization)
  assert.deepEqual((await client.get(CHECK, { 'x[]': 'y', access_token: '' })).json, false)
  await sql(server, 'delete from users where id = $1', [userId])
  // The user was deleted just now, and the server has not applied the event yet.
  for (const response of [await client.get(CHECK), await client.post(CONFIRMATIONS)])
    assert.ok(response.status < 500, response.text)
})

test('invalid, insufficient and revoked tokens are refused', async () => {
  const server = await sharedServer()
  const { client, userId } = await waiting(server, 'alice')
  const answers = async (one: Client): Promise<unknown[]> => {
    const { status, json } = await one.post(CONFIRMATIONS)
    return [status, (json as { error: string }).error]
  }
  assert.deepEqual(await answers(new Client(server)), [401, 'The access token is invalid'])
  const reader = new Client(server, await makeToken(server, userId, ['read']))
  assert.deepEqual(await answers(reader), [403, 'This action is outside the authorized scopes'])
  await sql(
    server,
    `with revoked as (update oauth_tokens set revoked_at = now() where user_id = $1)
     insert into events (kind, account_id) select 'token.revoked', account_id from users where id = $1`,
    [userId],
  )
  const fresh = new Client(server, client.token)
  for (let tries = 0; tries < 200 && (await fresh.get(CHECK)).status !== 401; tries += 1);
  assert.deepEqual(await answers(fresh), [401, 'The access token was revoked'])
  assert.deepEqual((await fresh.get(CHECK)).json, { error: 'The access token was revoked' })
})
