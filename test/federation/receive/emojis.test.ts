import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities } from '../../statuses/status_fixtures.ts'
import { startPeer } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { deliver, noteTo } from './receive_fixtures.ts'

test('a server that sends other pictures of its emojis with each post does not empty the caches each time', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const urlsIn = async (names: readonly string[], version: string): Promise<unknown[]> => {
    const note = noteTo(server, alice, bob, names.map(name => `:${name}:`).join(' '))
    const tags = names.map(name => ({
      type: 'Emoji',
      name: `:${name}:`,
      icon: { type: 'Image', url: `${peer.url}/${name}.png?${version}` },
    }))
    const status = await deliver(server, alice, bob, { ...note, tag: [...(note['tag'] as object[]), ...tags] })
    return entities(status['emojis']).map(({ url }) => String(url).slice(peer.url.length))
  }
  assert.deepEqual(await urlsIn(['one', 'two'], 'a'), ['/one.png?a', '/two.png?a'])
  assert.deepEqual(await urlsIn(['one'], 'b'), ['/one.png?b'], 'a new picture is taken over')
  assert.deepEqual(await urlsIn(['one', 'two'], 'c'), ['/one.png?b', '/two.png?a'], 'others have to wait')
  assert.deepEqual(await urlsIn(['three'], 'c'), ['/three.png?c'], 'but not what is new')
  const logged = await sql(
    server,
    `select v.id from events v join custom_emojis e on e.id = v.object_id where v.kind = 'emojis.changed' and e.domain = $1`,
    [peer.domain],
  )
  assert.equal(logged.length, 1)
  await sql(server, `update custom_emojis set replaced_at = replaced_at - interval '1 hour' where domain = $1`, [
    peer.domain,
  ])
  assert.deepEqual(await urlsIn(['one', 'two'], 'd'), ['/one.png?d', '/two.png?d'], 'until five minutes have passed')
})
