import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql, waitForEventLog, type Person } from '../support/people.ts'
import type { ServerAddress } from '../support/server.ts'
import { commandLine } from '../moderation/moderation_fixtures.ts'
import { entities } from './status_fixtures.ts'

/** Posts a status that mentions these people; the ids that it mentions. */
async function mentions(author: Person, ...named: Person[]): Promise<unknown[]> {
  const status = await author.postStatus(named.map(({ username }) => `@${username}`).join(' '))
  return entities(status['mentions']).map(({ id }) => id)
}

const usernameCache = async ({ url }: ServerAddress): Promise<{ hits: number; misses: number }> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const count = (name: string) =>
    Number(new RegExp(`^millrace_cache_${name}\\{cache="usernames"\\} (\\d+)`, 'm').exec(text)?.[1])
  return { hits: count('hits'), misses: count('misses') }
}

test('who can be mentioned follows from blocks and suspensions at once', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const ctl = await commandLine(t, server)
  assert.deepEqual(await mentions(alice, carol, bob), [carol.id, bob.id])

  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await mentions(alice, carol, bob), [carol.id])
  assert.deepEqual(await mentions(carol, alice, bob), [alice.id, bob.id], 'others may mention bob')
  await alice.post(`/api/v1/accounts/${bob.id}/unblock`)
  assert.deepEqual(await mentions(alice, carol, bob), [carol.id, bob.id])

  await ctl('moderation', 'act', carol.username, 'suspend', '--no-notify')
  await waitForEventLog(bob)
  assert.deepEqual(await mentions(alice, carol, bob), [bob.id])
  await ctl('moderation', 'undo', carol.username, 'unsuspend')
  await waitForEventLog(bob)
  assert.deepEqual(await mentions(alice, carol, bob), [carol.id, bob.id])
})

test('a mention has the spelling of its account, and the order of the text', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const far = await person(server, 'far', { account: { domain: 'far.example' } })
  const [shouted, known] = [bob.username.toUpperCase(), alice.username]
  for (const round of ['first', 'from memory']) {
    const status = await alice.postStatus(`@${far.username}@FAR.example @${shouted} @${known} @${bob.username}`)
    assert.deepEqual(
      entities(status['mentions']).map(({ id }) => id),
      [far.id, bob.id, alice.id],
      round,
    )
    assert.deepEqual(String(status['content']).match(new RegExp(bob.username, 'g'))?.length, 4, round)
  }
})

test('a name that nobody has is mentioned as soon as somebody has it', async t => {
  const { alice, server } = await people(t, 'alice')
  const name = `later${alice.id.slice(-8)}`
  assert.deepEqual(entities((await alice.postStatus(`hi @${name}`))['mentions']), [])
  const late = await person(server, 'late')
  await sql(server, 'update accounts set username = $1 where id = $2', [name, late.id])
  assert.deepEqual(
    entities((await alice.postStatus(`hi again @${name}`))['mentions']).map(({ id }) => id),
    [late.id],
  )
})

test('the ids of mentioned accounts are found in memory', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await mentions(alice, bob, carol)
  const before = await usernameCache(server)
  await mentions(alice, carol, bob)
  await mentions(bob, carol)
  assert.equal((await alice.get('/api/v1/accounts/lookup', { acct: carol.username })).status, 200)
  const after = await usernameCache(server)
  assert.deepEqual([after.hits - before.hits, after.misses - before.misses], [4, 0])
})
