import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { deliver, noteTo } from '../../federation/receive/receive_fixtures.ts'
import { startFiles } from '../../support/federation/files.ts'
import { people, sql } from '../../support/people.ts'
import { readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/custom_emojis'

interface Emoji {
  readonly shortcode: string
  readonly url: string
  readonly static_url: string
}

test('emojis of other servers are copied from there', async t => {
  const { alice, server } = await people(t, 'alice')
  const gif = await sharp({ create: { width: 16, height: 16, channels: 4, background: 'red' } })
    .gif()
    .toBuffer()
  const files = { '/far.gif': gif, '/huge.gif': Buffer.concat([gif, Buffer.alloc(262_144)]), '/down.gif': 502 }
  const { peer } = await startFiles(t, files)
  const bob = peer.actor('bob')
  const names = ['far', 'huge', 'down', 'gone']
  const note = noteTo(server, alice, bob, names.map(name => `:${name}_away:`).join(' '))
  const tags = names.map(name => ({
    type: 'Emoji',
    name: `:${name}_away:`,
    icon: { type: 'Image', url: `${peer.url}/${name}.gif` },
  }))
  await deliver(server, alice, bob, { ...note, tag: [...(note['tag'] as object[]), ...tags] })
  const rows = await sql(server, 'select id::text from custom_emojis where domain = $1', [peer.domain])
  assert.equal(rows.length, 4)

  const { browser } = await staffMember(t, server, 'admin')
  const list = await browser.get(`${PATH}?remote=1&domain=${peer.domain}`)
  await browser.submit(list, `${PATH}/batch`, { change: 'copy', 'ids[]': rows.map(row => String(row['id'])) })
  assert.match(readText(await browser.get(PATH)), /1 entry was changed/)
  const emojis = (await alice.get('/api/v1/custom_emojis')).json as Emoji[]
  const copied = emojis.filter(({ shortcode }) => shortcode.endsWith('_away'))
  assert.deepEqual(
    copied.map(({ shortcode }) => shortcode),
    ['far_away'],
  )
  for (const url of [copied[0]?.url, copied[0]?.static_url]) {
    assert.ok(url !== undefined && url.startsWith(`${server.config.publicUrl}/media/`), url)
    assert.equal((await fetch(url)).status, 200)
  }
})
