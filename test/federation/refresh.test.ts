import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere } from '../cli/command.ts'
import { entity } from '../statuses/status_fixtures.ts'
import { startPeer } from '../support/federation/peer.ts'
import { people, person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { waitUntilProcessed } from './receive/receive_fixtures.ts'

const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

test('avatar and header of a remote account are copied, and again when they have changed', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const usual = peer.answer.bind(peer)
  peer.answer = (request, response, body) => {
    if (!request.url?.endsWith('.gif')) return usual(request, response, body)
    response.writeHead(200, { 'content-type': 'image/gif' }).end(GIF)
  }
  const pictures = (name: string) => ({
    icon: { type: 'Image', url: `${peer.url}/${name}_avatar.gif` },
    image: { type: 'Image', url: `${peer.url}/${name}_header.gif` },
  })
  const bob = peer.actor('bob', pictures('first'))
  const shown = async (): Promise<string[]> => {
    const { account } = await waitUntilProcessed(server, alice, bob)
    await waitForJobs(t, server, 'federation.copy_picture')
    const { avatar, header } = entity((await alice.get(`/api/v1/accounts/${entity(account).id}`)).json)
    for (const url of [avatar, header]) assert.ok(String(url).startsWith(server.url), String(url))
    return [String(avatar), String(header)]
  }
  const before = await shown()
  await bob.send(server, bob.activity('Update', { ...peer.documentOf(bob.uri), ...pictures('second') }))
  const after = await shown()
  assert.equal(new Set([...before, ...after]).size, 4)
})

test('accounts of other servers are fetched again by a command, with their pictures', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const asked: string[] = []
  const usual = peer.answer.bind(peer)
  peer.answer = (request, response, body) => {
    if (!request.url?.endsWith('.gif')) return usual(request, response, body)
    asked.push(request.url)
    response.writeHead(200, { 'content-type': 'image/gif' }).end(GIF)
  }
  const icon = { type: 'Image', url: `${peer.url}/avatar.gif` }
  const [bob, carol] = [peer.actor('bob', { icon }), peer.actor('carol')]
  for (const actor of [bob, carol]) await waitUntilProcessed(server, alice, actor)
  await waitForJobs(t, server, 'federation.copy_picture')
  const account = async (): Promise<Record<string, unknown>> => {
    const [row] = await sql(server, 'select id::text from accounts where uri = $1', [bob.uri])
    return entity((await alice.get(`/api/v1/accounts/${String(row?.['id'])}`)).json)
  }
  const before = String((await account())['avatar'])
  assert.ok(before.startsWith(server.url), before)
  assert.deepEqual(asked, ['/avatar.gif'])

  const environment = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
    PUBLIC_URL: server.config.publicUrl,
    ALLOW_PRIVATE_ADDRESSES: 'on',
  }
  const ctl = (...given: string[]) => runHere(['accounts', 'refresh', ...given], environment)
  assert.equal((await ctl('--domain', peer.domain, '--dry-run')).out, 'Refreshed 2 accounts (DRY RUN)\n')
  assert.deepEqual(asked.length, 1)
  peer.serve({ ...peer.documentOf(bob.uri), name: 'Bobby' })
  const one = await ctl(bob.acct)
  assert.deepEqual([one.code, one.out], [0, 'OK\n'], one.err)
  await waitForJobs(t, server, 'federation.copy_picture')
  assert.deepEqual(asked, ['/avatar.gif', '/avatar.gif'])
  const { display_name: name, avatar } = await account()
  assert.equal(name, 'Bobby')
  assert.ok(String(avatar).startsWith(server.url), String(avatar))

  peer.documents.set(new URL(carol.uri).pathname, 500)
  const all = await ctl('--domain', peer.domain, '-v')
  assert.deepEqual(
    all.out.split('\n').toSorted(),
    ['', `Account failed: ${carol.acct}`, 'Refreshed 1 accounts', bob.acct].toSorted(),
  )
  for (const [given, fault] of [
    [[], /No account\(s\) given/],
    [['nobody@else.example'], /No such account/],
  ] as const) {
    const refused = await ctl(...given)
    assert.notEqual(refused.code, 0)
    assert.match(refused.err, fault)
  }
})

test('an account that cannot be fetched again is not requested for each of its activities', async t => {
  const server = await startServer(t, { oneProcess: 'each process remembers whom it could not fetch' })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [refused, renamed] = [peer.actor('bob'), other.actor('carol')]
  for (const actor of [refused, renamed]) await waitUntilProcessed(server, alice, actor)
  await sql(server, `update accounts set fetched_at = now() - interval '2 days' where domain is not null`)
  peer.documents.set(new URL(refused.uri).pathname, 403)
  other.rename(renamed, 'somebody')
  other.serve({ ...other.documentOf(renamed.uri), preferredUsername: renamed.username })
  for (const { asked } of [peer, other]) asked.length = 0
  for (let number = 0; number < 3; number += 1)
    for (const actor of [refused, renamed]) await waitUntilProcessed(server, alice, actor)
  for (const { uri, peer: at } of [refused, renamed]) {
    const path = new URL(uri).pathname
    assert.equal(at.asked.filter(asked => asked === path).length, 1, 'once for three activities')
  }
})
