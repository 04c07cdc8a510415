import assert from 'node:assert/strict'
import { test } from 'tap'
import { verifyRemoteLinks } from '../../src/federation/remote_accounts/verify_links.ts'
import { openDatabase } from '../../src/platform/database/index.ts'
import { OutgoingFailure, type Outgoing } from '../../src/platform/http_client/index.ts'
import type { Services } from '../../src/platform/services.ts'
import { becomes } from '../platform/settings/pair.ts'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { startPeer, type Document } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { accountOf, waitUntilProcessed } from './receive/receive_fixtures.ts'

const shortened = (url: string): string =>
  `<a href="${url}" rel="me nofollow"><span class="invisible">https://</span><span>${url.slice(8)}</span></a>`

/* The server itself could request these URLs, so no resolver may know the names. */
const FIELDS = {
  own: shortened('https://own.xn--nowhere/?a=1&amp;b=2'),
  plain: '<a href="https://plain.xn--nowhere/">https://plain.xn--nowhere/</a>',
  other: '<a href="https://own.xn--nowhere/">https://famous.xn--nowhere/</a>',
  two: `${shortened('https://own.xn--nowhere/')} ${shortened('https://plain.xn--nowhere/')}`,
  more: `see ${shortened('https://own.xn--nowhere/')}`,
  text: 'https://own.xn--nowhere/',
  theirs: shortened('https://theirs.xn--nowhere/'),
  away: shortened('https://away.xn--nowhere/'),
}

const attachmentOf = (fields: Record<string, string>): Document[] =>
  Object.entries(fields).map(([name, value]) => ({ type: 'PropertyValue', name, value }))

test('links of a profile elsewhere are verified some minutes later, until they or the page change', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob', { attachment: attachmentOf(FIELDS) })
  const page = `${peer.url}/@bob`
  peer.serve({ ...peer.documentOf(bob.uri), url: page })
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  const takeJob = () =>
    sql(
      server,
      `select graphile_worker.remove_job(key) is null as failed, run_at between now() + '30s' and now() + '10min' as later
       from graphile_worker.jobs where task_identifier = 'federation.verify_links'`,
    )
  assert.deepEqual(await takeJob(), [{ failed: false, later: true }])

  const asked: string[] = []
  const own = `<a rel="me" href="${page}">me</a>`
  const pages = new Map([
    ['https://own.xn--nowhere/?a=1&b=2', own],
    ['https://own.xn--nowhere/', own],
    ['https://plain.xn--nowhere/', own],
    ['https://theirs.xn--nowhere/', `<a rel="me" href="${peer.url}/@eve">me</a>`],
  ])
  const outgoing: Outgoing = {
    request(url) {
      asked.push(url)
      const body = pages.get(url)
      if (body === undefined) return Promise.reject(new OutgoingFailure('unreachable', url))
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(body), complete: true })
    },
    close: () => Promise.resolve(),
  }
  const database = openDatabase({ connection: { connectionString: server.databaseUrl }, poolSize: 1 })
  t.after(() => database.close())
  const services = { database, outgoing, config: server.config } as unknown as Services
  const run = { attempt: 1, lastAttempt: false, enqueuedAt: new Date(), signal: new AbortController().signal }
  await assert.rejects(verifyRemoteLinks.perform({ account: id }, services, run), OutgoingFailure)
  assert.deepEqual(asked, [
    'https://own.xn--nowhere/?a=1&b=2',
    'https://plain.xn--nowhere/',
    'https://theirs.xn--nowhere/',
    'https://away.xn--nowhere/',
  ])
  const verified = async (): Promise<string> =>
    entities(entity((await alice.get(`/api/v1/accounts/${id}`)).json)['fields'])
      .filter(field => field['verified_at'] !== null)
      .map(({ name }) => name)
      .join(' ')
  await becomes(verified, 'own plain', 'the links are verified')

  const update = async (more: Document): Promise<unknown[]> => {
    await bob.send(server, bob.activity('Update', peer.serve({ ...peer.documentOf(bob.uri), ...more })))
    await waitUntilProcessed(server, alice, bob)
    return [await verified(), (await takeJob()).length]
  }
  assert.deepEqual(await update({ name: 'Robert' }), ['own plain', 0], 'no field has changed')
  const { plain, text } = FIELDS
  assert.deepEqual(await update({ attachment: attachmentOf({ text }) }), ['', 0], 'there is no link')
  assert.deepEqual(await update({ attachment: attachmentOf(FIELDS) }), ['', 1], 'the links are back')
  await verifyRemoteLinks.perform({ account: id }, services, { ...run, lastAttempt: true })
  await becomes(verified, 'own plain', 'the links are verified again')
  assert.deepEqual(await update({ attachment: attachmentOf({ renamed: plain, text }) }), ['renamed', 0])
  assert.deepEqual(await update({ url: `${peer.url}/@robert` }), ['', 1], 'the page is another one')
})
