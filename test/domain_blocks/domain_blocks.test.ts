import assert from 'node:assert/strict'
import test from 'node:test'
import { Client, linkOf } from '../support/client.ts'
import { makeToken, people, sql } from '../support/people.ts'

test('blocked domains are listed, the latest first, in pages', async t => {
  const { alice, server } = await people(t, 'alice')
  const domains = ['one.example', 'two.example', 'three.example', 'four.example']
  for (const domain of domains)
    await sql(server, 'insert into account_domain_blocks (account_id, domain) values ($1, $2)', [alice.id, domain])
  assert.deepEqual((await alice.get('/api/v1/domain_blocks')).json, [...domains].reverse())
  const first = await alice.get('/api/v1/domain_blocks', { limit: '3' })
  assert.deepEqual(first.json, ['four.example', 'three.example', 'two.example'])
  assert.match(String(linkOf(first, 'prev')), /limit=3&since_id=\d+$/)
  const second = await alice.get(String(linkOf(first, 'next')))
  assert.deepEqual(second.json, ['one.example'])
  assert.equal(linkOf(second, 'next'), undefined)
  const writing = new Client(server, await makeToken(server, alice.userId, ['write:blocks']))
  assert.equal((await writing.get('/api/v1/domain_blocks')).status, 403)
})
