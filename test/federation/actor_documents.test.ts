import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity } from '../statuses/status_fixtures.ts'
import { startPeer, type Document } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { accountOf, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* What is read of an actor's document, and how much. */

test('of an actor with much of everything, as much is stored as the limits allow', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const urls = (path: string): string[] => Array.from({ length: 300 }, (_, at) => `https://${path}${at}.example/u`)
  const long = 'Bob'.padEnd(3000, 'b')
  const bob = peer.actor('bob', {
    name: long,
    summary: '<p>x</p>'.repeat(4000),
    attachment: Array.from({ length: 60 }, (_, at) => ({
      type: 'PropertyValue',
      name: `${at}`.padEnd(2100, 'n'),
      value: 'v'.repeat(2100),
    })),
    alsoKnownAs: urls('alias'),
    attributionDomains: urls('site').map(url => new URL(url).host),
    published: '2020-02-02T00:00:00Z',
    url: 'https://other.example/@bob',
  })
  const account = accountOf(await waitUntilProcessed(server, alice, bob))
  assert.equal(account['display_name'], long.slice(0, 2048))
  assert.equal(account['created_at'], '2020-02-02T00:00:00.000Z')
  assert.equal(account['url'], bob.uri, 'an address on another host is not its own')
  const fields = account['fields'] as { name: string; value: string }[]
  assert.equal(fields.length, 50)
  for (const { name, value } of fields) assert.deepEqual([name.length, value.length], [2047, 2047])
  const [stored] = await sql(
    server,
    `select cardinality(also_known_as) as aliases, cardinality(attribution_domains) as domains, length(note_html) as length
     from accounts where uri = $1`,
    [bob.uri],
  )
  assert.deepEqual([stored?.['aliases'], stored?.['domains']], [256, 256])
  assert.ok(Number(stored?.['length']) <= 21_000, String(stored?.['length']))
  const found = await alice.get('/api/v2/search', { q: long.slice(0, 40), type: 'accounts' })
  assert.equal((entity(found.json)['accounts'] as Document[]).length, 1, 'it is found by its name')
})

test('actors have one of five types, a suitable name and an inbox', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  for (const type of ['Application', 'Group', 'Organization', 'Person', 'Service', ['Tombstone', 'Service']])
    assert.ok(accountOf(await waitUntilProcessed(server, alice, peer.actor('usual', { type }))))
  for (const more of [
    { type: 'Note' },
    { type: 'Tombstone' },
    { inbox: null },
    { inbox: 'mailto:bob@example' },
    { preferredUsername: 'a b' },
    { preferredUsername: '.bob' },
    { preferredUsername: 'bob.' },
    // Minutes for an expression that tries each way to divide the name.
    { preferredUsername: `${'b'.repeat(5000)}!` },
    { webfinger: `${'b'.repeat(5000)}!@host.example` },
    { preferredUsername: '' },
  ]) {
    const odd = peer.actor('odd', more)
    await odd.send(server, odd.create(noteTo(server, alice, odd, 'x')))
    await waitForJobs(t, server, 'federation.receive_lane')
    assert.deepEqual(await sql(server, 'select from accounts where uri = $1', [odd.uri]), [], JSON.stringify(more))
  }
})
