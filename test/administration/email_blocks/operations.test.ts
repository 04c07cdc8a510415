import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { Client } from '../../support/client.ts'
import { makeToken, sql } from '../../support/people.ts'
import { auditLog, checkCallers, checkPages, entitiesOf, entityOf, refuses, staff } from '../admin_api.ts'
import { OPEN_REGISTRATIONS, shareServerWith } from '../../support/server.ts'

shareServerWith(OPEN_REGISTRATIONS)

const DOMAINS = '/api/v1/admin/email_domain_blocks'
const ADDRESSES = '/api/v1/admin/canonical_email_blocks'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Signs up at the server by its API, from this address. */
function registration(application: Client) {
  return (username: string, email: string, address = '192.0.2.1') =>
    application.post(
      '/api/v1/accounts',
      { username, email, password: 'correct horse battery', agreement: true },
      { 'X-Forwarded-For': address },
    )
}

test('without any blocks the lists are empty', async t => {
  const { admin } = await staff(t)
  for (const path of [DOMAINS, ADDRESSES]) assert.deepEqual(entitiesOf(await admin.get(path)), [])
})

test('a blocked e-mail domain refuses sign-ups, or lets the staff decide, and counts the attempts', async t => {
  const { server, admin } = await staff(t)
  const signUp = registration(new Client(server, await makeToken(server, null)))
  const { id, created_at: created, history, ...rest } = entityOf(await admin.post(DOMAINS, { domain: 'Spam.EXAMPLE' }))
  assert.deepEqual(rest, { domain: 'spam.example', allow_with_approval: false })
  assert.match(String(created), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const midnight = Math.floor(Date.now() / 86_400_000) * 86_400
  const days = (accounts: string, uses: string) =>
    Array.from({ length: 7 }, (_, ago) => ({
      day: String(midnight - ago * 86_400),
      accounts: ago === 0 ? accounts : ago === 2 ? '1' : '0',
      uses: ago === 0 ? uses : ago === 2 ? '5' : '0',
    }))
  assert.deepEqual((history as unknown[]).length, 7)
  await sql(
    server,
    `insert into email_domain_block_attempts (block_id, day, ip, uses)
     values ($1, (now() at time zone 'UTC')::date - 2, '192.0.2.9', 5), ($1, (now() at time zone 'UTC')::date - 7, '192.0.2.9', 9)`,
    [id],
  )
  for (const [name, address] of [
    ['one', '192.0.2.1'],
    ['two', '192.0.2.1'],
    ['three', '192.0.2.2'],
  ] as const) {
    const refused = await signUp(name, `${name}@mail.spam.example`, address)
    assert.equal(refused.status, 422)
    const { details } = refused.json as { details: unknown }
    assert.deepEqual(details, { email: [{ error: 'ERR_BLOCKED', description: 'uses a disallowed e-mail provider' }] })
  }
  assert.deepEqual(entityOf(await admin.get(`${DOMAINS}/${id}`))['history'], days('2', '3'))
  const milder = entityOf(await admin.post(DOMAINS, { domain: 'odd.example', allow_with_approval: true }))
  assert.equal(milder['allow_with_approval'], true)
  entityOf(await signUp('four', 'four@odd.example'))
  assert.deepEqual(await sql(server, `select approved from users where email = 'four@odd.example'`), [
    { approved: false },
  ])
  const gone = await admin.delete(`${DOMAINS}/${id}`)
  assert.deepEqual([gone.status, gone.text], [200, '{}'])
  refuses(await admin.get(`${DOMAINS}/${id}`), 404, 'Record not found')
  entityOf(await signUp('five', 'five@spam.example'))
  assert.deepEqual(await auditLog(server, 'EmailDomainBlock'), [
    `${admin.id} create spam.example`,
    `${admin.id} create odd.example`,
    `${admin.id} destroy spam.example`,
  ])
})

test('invalid e-mail domains are refused, and mail servers are removed with their domain', async t => {
  const { server, admin } = await staff(t)
  const { id } = entityOf(await admin.post(DOMAINS, { domain: 'parent.example' }))
  for (const [body, error] of [
    [{}, "Validation failed: Domain can't be blank"],
    [{ domain: '  ' }, "Validation failed: Domain can't be blank"],
    [{ domain: 'foo bar' }, 'Validation failed: Domain is not a valid domain name'],
    [{ domain: 'a'.repeat(254) }, 'Validation failed: Domain is not a valid domain name'],
    [{ domain: 'PARENT.example.' }, 'Validation failed: Domain has already been taken'],
  ] as const) {
    refuses(await admin.post(DOMAINS, body), 422, error)
  }
  await sql(server, `insert into email_domain_blocks (domain, parent_id) values ('mx.parent.example', $1)`, [id])
  await admin.delete(`${DOMAINS}/${id}`)
  assert.deepEqual(await sql(server, `select domain from email_domain_blocks where domain like '%parent.example'`), [])
})

test('an address is blocked in all its spellings, given as an address or a hash', async t => {
  const { server, admin } = await staff(t)
  const signUp = registration(new Client(server, await makeToken(server, null)))
  const hash = hashOf('somebody@mail.example')
  const made = entityOf(
    await admin.post(ADDRESSES, { email: 'Some.Body+x@mail.example', canonical_email_hash: 'ignored' }),
  )
  assert.deepEqual(made, { id: made.id, canonical_email_hash: hash })
  assert.deepEqual(entityOf(await admin.get(`${ADDRESSES}/${made.id}`)), made)
  for (const email of ['somebody@mail.example', 's.o.m.e.body+y@MAIL.example']) {
    assert.deepEqual((await admin.post(`${ADDRESSES}/test`, { email })).json, [made])
    assert.equal((await signUp('six', email)).status, 422)
  }
  assert.deepEqual((await admin.post(`${ADDRESSES}/test`, { email: 'other@mail.example' })).json, [])
  const missing = 'param is missing or the value is empty or invalid: email'
  for (const body of [{}, { email: '' }, { email: ' ' }])
    refuses(await admin.post(`${ADDRESSES}/test`, body), 400, missing)
  const taken = 'Validation failed: Canonical email hash has already been taken'
  for (const [body, error] of [
    [{}, "Validation failed: Canonical email hash can't be blank"],
    [{ email: '', canonical_email_hash: ' ' }, "Validation failed: Canonical email hash can't be blank"],
    [{ canonical_email_hash: 'abc' }, 'Validation failed: Canonical email hash is invalid'],
    [{ email: 'nobody' }, 'Validation failed: E-mail address is invalid'],
    [{ email: 'somebody@mail.example' }, taken],
    [{ canonical_email_hash: hash.toUpperCase() }, taken],
  ] as const) {
    refuses(await admin.post(ADDRESSES, body), 422, error)
  }
  assert.deepEqual((await admin.delete(`${ADDRESSES}/${made.id}`)).text, '{}')
  refuses(await admin.delete(`${ADDRESSES}/${made.id}`), 404, 'Record not found')
  const again = entityOf(await admin.post(ADDRESSES, { canonical_email_hash: hash }))
  assert.equal(again['canonical_email_hash'], hash)
  const ctl = await createCommandLine(t, server.databaseUrl)
  assert.equal(
    await ctl.ok('canonical_email_blocks', 'remove', 'some.body@mail.example'),
    'Unblocked some.body@mail.example\n',
  )
  entityOf(await signUp('six', 'somebody@mail.example'))
  assert.deepEqual(await auditLog(server, 'CanonicalEmailBlock'), [
    `${admin.id} create ${hash}`,
    `${admin.id} destroy ${hash}`,
    `${admin.id} create ${hash}`,
    `destroy ${hash}`,
  ])
})

test('only roles that manage blocks, with the scopes, may call these operations', async t => {
  const everyone = await staff(t)
  const { admin } = everyone
  const domain = entityOf(await admin.post(DOMAINS, { domain: 'callers.example' }))
  await checkCallers(everyone, ':email_domain_blocks', [
    { method: 'GET', path: DOMAINS },
    { method: 'POST', path: DOMAINS },
    { method: 'GET', path: `${DOMAINS}/${domain.id}` },
    { method: 'DELETE', path: `${DOMAINS}/${domain.id}` },
  ])
  const address = entityOf(await admin.post(ADDRESSES, { email: 'callers@mail.example' }))
  await checkCallers(everyone, ':canonical_email_blocks', [
    { method: 'GET', path: ADDRESSES },
    { method: 'POST', path: ADDRESSES },
    { method: 'POST', path: `${ADDRESSES}/test` },
    { method: 'GET', path: `${ADDRESSES}/${address.id}` },
    { method: 'DELETE', path: `${ADDRESSES}/${address.id}` },
  ])
})

test('the lists have pages', async t => {
  const { admin } = await staff(t)
  for (const name of ['a', 'b', 'c']) {
    entityOf(await admin.post(DOMAINS, { domain: `${name}.pages.example` }))
    entityOf(await admin.post(ADDRESSES, { email: `${name}@pages.example` }))
  }
  await checkPages(admin, DOMAINS)
  await checkPages(admin, ADDRESSES)
})
