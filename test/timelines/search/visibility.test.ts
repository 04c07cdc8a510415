import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { people, person, sql, type Person } from '../../support/people.ts'

interface Found {
  statuses: { id: string }[]
  accounts: unknown[]
  hashtags: unknown[]
}

/** A word that no other status has. */
const newWord = (): string => `w${randomBytes(5).toString('hex')}`

async function find(who: Person, q: string, more: Record<string, string> = {}): Promise<string[]> {
  const response = await who.get('/api/v2/search', { q, type: 'statuses', ...more })
  assert.equal(response.status, 200, response.text)
  return (response.json as Found).statuses.map(({ id }) => id)
}

test('public statuses are found when their authors allow it and the reader may and wants to see them', async t => {
  const { alice, server } = await people(t, 'alice')
  const word = newWord()
  const account = { indexable: true }
  const authors = {
    plain: await person(server, 'plain', { account }),
    reserved: await person(server, 'reserved'),
    limited: await person(server, 'limited', { account }),
    'limited and followed': await person(server, 'followed', { account }),
    suspended: await person(server, 'suspended', { account }),
    'of a blocked domain': await person(server, 'remote', { account }),
    blocked: await person(server, 'blocked', { account }),
    muted: await person(server, 'muted', { account }),
    blocking: await person(server, 'blocking', { account }),
  }
  const said = new Map<string, string>()
  for (const [name, author] of Object.entries(authors)) said.set((await author.postStatus(word)).id, name)
  await sql(
    server,
    `update accounts set domain = 'far.example', uri = 'https://far.example/users/' || id where id = $1`,
    [authors['of a blocked domain'].id],
  )
  await sql(server, `insert into account_domain_blocks (account_id, domain) values ($1, 'far.example')`, [alice.id])
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [authors.suspended.id])
  await alice.follow(authors['limited and followed'])
  // Their later posts would be unlisted.
  await sql(server, 'update accounts set silenced_at = now() where id = any ($1)', [
    [authors.limited.id, authors['limited and followed'].id],
  ])
  await alice.post(`/api/v1/accounts/${authors.blocked.id}/block`)
  await alice.post(`/api/v1/accounts/${authors.muted.id}/mute`)
  await authors.blocking.post(`/api/v1/accounts/${alice.id}/block`)
  const names = async (who: Person, q: string): Promise<string[]> =>
    (await find(who, q)).map(id => said.get(id) ?? id).toSorted()
  assert.deepEqual(await names(alice, word), ['limited and followed', 'plain'])
  assert.deepEqual(await names(alice, `${word} in:public`), ['limited and followed', 'plain'])
  assert.deepEqual(await names(authors.reserved, `${word} in:library`), ['reserved'], 'one’s own, always')
  const plain = authors.plain
  for (const visibility of ['unlisted', 'private', 'direct'])
    await plain.postStatus(`${word} ${visibility}`, { visibility })
  assert.deepEqual(await names(alice, word), ['limited and followed', 'plain'])
  assert.equal((await find(plain, `${word} from:me`)).length, 4)
})

test('voted polls belong to the voter’s library, and leave it with their status', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const word = newWord()
  const poll = { options: ['a', 'b'], expires_in: 3600 }
  const made = (await bob.postStatus(word, { poll })) as unknown as { id: string; poll: { id: string } }
  assert.deepEqual(await find(alice, word), [])
  assert.equal((await alice.post(`/api/v1/polls/${made.poll.id}/votes`, { choices: [0] })).status, 200)
  for (const q of [word, `${word} in:library`, `${word} in:library has:poll`, 'has:poll in:library'])
    assert.deepEqual(await find(alice, q), [made.id], q)
  assert.deepEqual(await find(alice, `${word} in:library -has:poll`), [])
  assert.deepEqual(await find(alice, `${word} in:public`), [])
  await bob.delete(`/api/v1/statuses/${made.id}`)
  assert.deepEqual(await find(alice, word), [])
})

test('a URL is searched as words unless it is to be resolved', async t => {
  const { alice } = await people(t, 'alice')
  const url = `https://example.com/${newWord()}`
  const { id } = await alice.postStatus(`read ${url}`)
  assert.deepEqual(await find(alice, url), [id])
  const resolved = await alice.get('/api/v2/search', { q: url, resolve: 'true' })
  assert.deepEqual((resolved.json as Found).statuses, [])
  const all = (await alice.get('/api/v2/search', { q: url })).json as Found
  assert.deepEqual([all.statuses.map(one => one.id), all.accounts, all.hashtags], [[id], [], []])
})
