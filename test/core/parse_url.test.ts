import assert from 'node:assert/strict'
import { test } from 'tap'
import { domainInAscii, parseUrl, storedDomain } from '../../src/core/parse_url.ts'
import { people } from '../support/people.ts'
import { noteTo, waitUntilProcessed } from '../federation/receive/receive_fixtures.ts'
import { startPeer } from '../support/federation/peer.ts'

/** Different characters, of which the time for a name grows with the square of their number. */
const LONG = Array.from({ length: 300_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join('')

test('URLs are parsed as a browser does', async () => {
  for (const [text, href, base] of [
    ['https://münchen.example/ä?ö#ü', 'https://xn--mnchen-3ya.example/%C3%A4?%C3%B6#%C3%BC'],
    [' https:\\\\a.example ', 'https://a.example/'],
    ['/x', 'https://a.example/x', 'https://a.example/y'],
    ['//b.example', 'https://b.example/', 'https://a.example/y'],
    [`/${'x'.repeat(600)}`, `https://a.example/${'x'.repeat(600)}`, 'https://a.example/y'],
    ['x'.repeat(600), `https://a.example/${'x'.repeat(600)}`, 'https://a.example/y'],
    [`https://a.example/${'x'.repeat(5000)}`, `https://a.example/${'x'.repeat(5000)}`],
    [`https://a.example?${'x'.repeat(5000)}`, `https://a.example/?${'x'.repeat(5000)}`],
    [
      `https://${'u'.repeat(200)}:${'p'.repeat(200)}@a.example/`,
      `https://${'u'.repeat(200)}:${'p'.repeat(200)}@a.example/`,
    ],
    ['/x', undefined],
    ['https://', undefined],
    ['', undefined],
  ] as const)
    assert.equal(parseUrl(text, base)?.href, href, text.slice(0, 100))
  assert.deepEqual(['MÜNCHEN.example', 'a b', '127.0.0.1:3000'].map(domainInAscii), ['xn--mnchen-3ya.example', '', ''])
  assert.deepEqual(['MÜNCHEN.example', 'A:1', 'far/example'].map(storedDomain), [
    'xn--mnchen-3ya.example',
    'a:1',
    'far/example',
  ])
})

// Without a bound each of them takes minutes.
test('a long name of a host is no URL, and takes no time', { timeout: 60_000 }, async t => {
  for (const text of [
    `https://${LONG}/`,
    `https:${LONG}`,
    `ht\ttps:/\n\\${LONG}`,
    `https://u@${LONG}`,
    `https://${encodeURIComponent(LONG)}`,
    `//${LONG}`,
  ])
    assert.equal(parseUrl(text, 'https://a.example/'), undefined, text.slice(0, 40))
  assert.equal(domainInAscii(LONG), '')

  const { alice, anonymous, server } = await people(t, 'alice')
  const app = { client_name: 'x', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }
  assert.equal((await anonymous.post('/api/v1/apps', { ...app, website: `https://${LONG}/` })).status, 422)
  assert.equal((await anonymous.post('/api/v1/apps', { ...app, redirect_uris: `https://${LONG}/` })).status, 422)
  assert.equal((await alice.post('/api/v1/domain_blocks', { domain: LONG })).status, 422)
  const bob = (await startPeer(t)).actor('bob')
  const note = noteTo(server, alice, bob, `<a href="https://${LONG.slice(0, 90_000)}">x</a>`, {
    url: `https://${LONG}/`,
    inReplyTo: `https://${LONG}/`,
  })
  await bob.send(server, bob.create(note))
  await waitUntilProcessed(server, alice, bob)
})
