import assert from 'node:assert/strict'
import { test } from 'tap'
import { quote, quoteOf } from './quotes/quote_fixtures.ts'
import { people, sql } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { entities, entity, errorOf } from './status_fixtures.ts'

/** An account of another server with a status, as federation stores them. */
async function arrive(server: TestServer, domain: string): Promise<{ account: string; status: string; name: string }> {
  const name = `remote_${Math.random().toString(36).slice(2)}`
  const [row] = await sql(
    server,
    `with author as (
       insert into accounts (username, domain, uri) values ($1, $2, 'https://' || $2 || '/users/' || $1) returning id
     ), stats as (insert into account_stats (account_id) select author.id from author)
     insert into statuses (account_id, local, uri, url, content, visibility)
     select author.id, false, 'https://' || $2 || '/s/' || $1, 'https://' || $2 || '/@' || $1, '<p>far <b>away</b></p>', 'public'
     from author returning id::text, account_id::text`,
    [name, domain],
  )
  return { account: String(row?.['account_id']), status: String(row?.['id']), name }
}

test('a quote of a remote status waits for its author, and can be revoked', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const far = await arrive(server, 'far.example')
  const waiting = await quote(alice, far.status)
  assert.deepEqual(quoteOf(waiting), { state: 'pending', quoted_status: null })
  assert.match(String(waiting['content']), /RE: <a href="https:\/\/far\.example\/@/)
  assert.deepEqual(quoteOf((await bob.get(`/api/v1/statuses/${waiting.id}`)).json), {
    state: 'pending',
    quoted_status: null,
  })
  assert.equal(entity((await bob.get(`/api/v1/statuses/${far.status}`)).json)['quotes_count'], 0)
  assert.deepEqual((await bob.get(`/api/v1/statuses/${far.status}/quotes`)).json, [])
  const foreign = await bob.post(`/api/v1/statuses/${far.status}/quotes/${waiting.id}/revoke`)
  assert.deepEqual([foreign.status, errorOf(foreign)], [403, 'This action is not allowed'])
  const source = entity((await bob.get(`/api/v1/statuses/${far.status}/source`)).json)
  assert.deepEqual(source, { id: far.status, text: '<p>far <b>away</b></p>', spoiler_text: '' })
  const gone = entity((await alice.delete(`/api/v1/statuses/${waiting.id}`)).json)
  assert.deepEqual([quoteOf(gone)['state'], entity(quoteOf(gone)['quoted_status']).id], ['pending', far.status])
})

test('mentions of a blocked domain are ignored, others count once each', async t => {
  const { alice, server } = await people(t, 'alice')
  const [near, far] = [await arrive(server, 'near.example'), await arrive(server, 'bad.example')]
  await alice.post('/api/v1/domain_blocks', { domain: 'bad.example' })
  const spelled = `@${near.name.toUpperCase()}@NEAR.example`
  const status = await alice.postStatus(`${spelled} @${near.name}@near.example @${far.name}@bad.example`)
  assert.deepEqual(
    entities(status['mentions']).map(one => [one.id, one['acct']]),
    [[near.account, `${near.name}@near.example`]],
  )
  const source = entity((await alice.get(`/api/v1/statuses/${status.id}/source`)).json)
  const acct = `@${near.name}@near.example`
  assert.deepEqual(source, { id: status.id, text: `${acct} ${acct} @${far.name}@bad.example`, spoiler_text: '' })
})
