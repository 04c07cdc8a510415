import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { entity, waitFor } from '../../statuses/status_fixtures.ts'
import { startSite, type Site } from '../../statuses/preview_cards/site.ts'
import { startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { runScheduled } from '../federation_fixtures.ts'
import { deliver, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

const titled = (site: Site, title: string): string => site.page(`/${title}`, `<html><head><title>${title}</title>`)

const link = (href: string, more: Document = {}): Document => ({ type: 'Link', href, ...more })

/** Runs the job of a preview, which would wait up to a minute, and waits for this card. */
async function isAbout(t: Test, server: TestServer, reader: Person, id: unknown, url: string): Promise<void> {
  await runScheduled(t, server, 'preview_cards.attach')
  await waitFor(
    server,
    async () => {
      const { card } = entity((await reader.get(`/api/v1/statuses/${String(id)}`)).json)
      return card !== null && entity(card)['url'] === url
    },
    `the card of ${url}`,
  )
}

test('the card of a post is that of the page which its server attaches, wherever its text leads', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  const bob = (await startPeer(t)).actor('bob')
  const [first, article, other] = [titled(site, 'first'), titled(site, 'article'), titled(site, 'other')]
  const text = `<p>See <a href="${first}">this</a></p>`

  const lemmy = { type: 'Page', name: 'News', attachment: [link(article, { mediaType: 'text/html; charset=utf-8' })] }
  const page = await deliver(server, alice, bob, noteTo(server, alice, bob, '', lemmy))
  await isAbout(t, server, alice, page['id'], article)

  const plain = await deliver(server, alice, bob, noteTo(server, alice, bob, 'no link', { attachment: link(other) }))
  await isAbout(t, server, alice, plain['id'], other)

  const attachment = [link(`${article}.png`, { mediaType: 'image/png' }), link(article), link(other)]
  const chosen = noteTo(server, alice, bob, text, { attachment })
  const { id } = await deliver(server, alice, bob, chosen)
  await isAbout(t, server, alice, id, article)
  assert.equal(site.asked.filter(path => path.endsWith('/article')).length, 1, 'a page is fetched once')

  const updated = new Date(Date.now() + 1000).toISOString()
  await bob.send(server, bob.activity('Update', { ...chosen, updated, attachment: [link(other)] }))
  await isAbout(t, server, alice, id, other)
  assert.equal(entity((await alice.get(`/api/v1/statuses/${id}`)).json)['edited_at'], null)
})

test('an attached link that leads to this server, or to a file, leaves the card to the text', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  const bob = (await startPeer(t)).actor('bob')
  const first = titled(site, 'first')
  for (const attachment of [
    link(`${server.url}/@${alice.username}`),
    link('javascript:alert(1)'),
    link(`${first}.zip`, { mediaType: 'application/zip' }),
  ]) {
    const text = `<p>See <a href="${first}">this</a></p>`
    const { id } = await deliver(server, alice, bob, noteTo(server, alice, bob, text, { attachment }))
    await isAbout(t, server, alice, id, first)
  }
  await waitUntilProcessed(server, alice, bob)
})

test('with attached files there is no card of an attached link', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  const bob = (await startPeer(t)).actor('bob')
  const url = titled(site, 'article')
  const attachment = [{ type: 'Image', url: `${bob.uri}/1.png` }, link(url)]
  const { id } = await deliver(server, alice, bob, noteTo(server, alice, bob, 'a picture', { attachment }))
  const without = await deliver(server, alice, bob, noteTo(server, alice, bob, 'none', { attachment: link(url) }))
  await isAbout(t, server, alice, without['id'], url)
  assert.equal(entity((await alice.get(`/api/v1/statuses/${id}`)).json)['card'], null)
})

test('an edit before the card is there replaces or withdraws the link that waits', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  const bob = (await startPeer(t)).actor('bob')
  const [first, second] = [titled(site, 'first'), titled(site, 'second')]
  const waiting = async (id: unknown): Promise<unknown[]> =>
    (
      await sql(
        server,
        `select payload ->> 'link' as link from graphile_worker._private_jobs where payload ->> 'status_id' = $1`,
        [id],
      )
    ).map(({ link }) => link)
  const note = noteTo(server, alice, bob, 'a link', { attachment: link(first) })
  const { id } = await deliver(server, alice, bob, note)
  assert.deepEqual(await waiting(id), [first])
  const edit = async (more: Document): Promise<void> => {
    const updated = new Date(Date.now() + 1000).toISOString()
    await bob.send(server, bob.activity('Update', { ...note, updated, ...more }))
    await waitUntilProcessed(server, alice, bob)
  }
  await edit({ attachment: link(second) })
  assert.deepEqual(await waiting(id), [second])
  await edit({ updated: new Date(Date.now() + 2000).toISOString(), content: '<p>no link</p>', attachment: [] })
  assert.deepEqual(await waiting(id), [])
  assert.equal(entity((await alice.get(`/api/v1/statuses/${id}`)).json)['card'], null)
})
