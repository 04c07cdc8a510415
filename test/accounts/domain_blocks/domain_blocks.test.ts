import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, linkOf } from '../../support/client.ts'
import { makeToken, people, person, sql } from '../../support/people.ts'

test('blocked domains are listed newest first, in pages', async t => {
  const { alice, server } = await people(t, 'alice')
  const domains = ['one.example', 'two.example', 'three.example', 'four.example']
  for (const domain of domains)
    await sql(server, 'insert into account_domain_blocks (account_id, domain) values ($1, $2)', [alice.id, domain])
  assert.deepEqual((await alice.get('/api/v1/domain_blocks')).json, [...domains].reverse())
  const first = await alice.get('/api/v1/domain_blocks', { limit: '3' })
  assert.deepEqual(first.json, ['four.example', 'three.example', 'two.example'])
  const rows = await sql(server, 'select id::text from account_domain_blocks where account_id = $1 order by id', [
    alice.id,
  ])
  const [, second, , fourth] = rows.map(({ id }) => String(id))
  assert.ok(linkOf(first, 'prev')?.endsWith(`limit=3&since_id=${fourth}`))
  assert.ok(linkOf(first, 'next')?.endsWith(`limit=3&max_id=${second}`))
  const last = await alice.get(String(linkOf(first, 'next')))
  assert.deepEqual(last.json, ['one.example'])
  assert.equal(linkOf(last, 'next'), undefined)
  const writing = new Client(server, await makeToken(server, alice.userId, ['write:blocks']))
  assert.equal((await writing.get('/api/v1/domain_blocks')).status, 403)
})

test('the preview of a domain block counts the affected relationships, and needs a scope for blocks', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const preview = (who: Client, query: Record<string, string>) => who.get('/api/v1/domain_blocks/preview', query)
  const none = await preview(alice, { domain: ' Nobody.Example/ ' })
  assert.deepEqual([none.status, none.json], [200, { following_count: 0, followers_count: 0 }])
  for (const [query, text] of [
    [{}, "can't be blank"],
    [{ domain: ' ' }, "can't be blank"],
    [{ domain: 'a b' }, 'is not a valid domain name'],
  ] as const) {
    const refused = await preview(alice, query)
    assert.deepEqual([refused.status, refused.json], [422, { error: `Validation failed: Domain ${text}` }])
  }
  for (const [scope, status] of [
    ['follow', 200],
    ['write', 200],
    ['write:blocks', 200],
    ['write:statuses', 403],
    ['read', 403],
  ] as const) {
    const client = new Client(server, await makeToken(server, alice.userId, [scope]))
    assert.equal((await preview(client, { domain: 'a.example' })).status, status, scope)
  }
  assert.equal((await preview(anonymous, { domain: 'a.example' })).status, 401)
})

test('a domain block removes the notification permissions of its accounts', async t => {
  const { alice, server } = await people(t, 'alice')
  const domain = `${alice.id}.example`
  const far = await person(server, 'far', { account: { domain, uri: `https://${domain}/far` } })
  await sql(server, 'insert into notification_permissions (account_id, from_account_id) values ($1, $2)', [
    alice.id,
    far.id,
  ])
  await alice.post('/api/v1/domain_blocks', { domain })
  assert.deepEqual(await sql(server, 'select from notification_permissions where account_id = $1', [alice.id]), [])
})
