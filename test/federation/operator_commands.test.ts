import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere, type Ran } from '../cli/command.ts'
import { picture } from '../media/attachments/media_fixtures.ts'
import { entities } from '../statuses/status_fixtures.ts'
import { startPeer, type Document, type Peer } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { deliver, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* Commands about other servers. */

const commandsOf =
  ({ databaseUrl, config }: TestServer) =>
  (...given: string[]): Promise<Ran> =>
    runHere(given, {
      DATABASE_URL: databaseUrl,
      DATA_DIR: config.dataDir,
      PUBLIC_URL: config.publicUrl,
      ALLOW_PRIVATE_ADDRESSES: 'on',
    })

/** A peer that also has files and the documents of other APIs; the paths that it was asked for. */
function serveMore(peer: Peer, more: Readonly<Record<string, Buffer | object>>): string[] {
  const asked: string[] = []
  const usual = peer.answer.bind(peer)
  peer.answer = (request, response, body) => {
    const found = more[request.url ?? '']
    if (found === undefined) return usual(request, response, body)
    asked.push(request.url ?? '')
    const isFile = Buffer.isBuffer(found)
    response
      .writeHead(200, { 'content-type': isFile ? 'image/png' : 'application/json' })
      .end(isFile ? found : JSON.stringify(found))
  }
  return asked
}

// The first: tests of a file share a database, and thus the servers that are known.
test('a command fetches the number of users from known servers', async t => {
  const { alice, server } = await people(t, 'alice')
  const ctl = commandsOf(server)
  const [peer, silent, bad] = [await startPeer(t), await startPeer(t), await startPeer(t)]
  const said = (users: unknown, named: string[]) => ({
    '/api/v1/instance': { title: 'x', stats: { user_count: users } },
    '/api/v1/instance/activity': [{ logins: '1' }, { week: '1', logins: '30', registrations: '4' }],
    '/api/v1/instance/peers': named,
  })
  serveMore(peer, said(200, [silent.domain, bad.domain, 'not a domain', 'http://x']))
  serveMore(bad, said('many', []))
  for (const one of [peer, silent, bad]) await waitUntilProcessed(server, alice, one.actor('somebody'))
  await sql(server, `insert into domain_blocks (domain, severity) values ($1, 'suspend')`, [bad.domain])
  bad.asked.length = 0
  const summary = await ctl('domains', 'crawl')
  assert.equal(summary.code, 0, summary.err)
  assert.match(
    summary.out,
    /^Visited 2 domains, 1 failed \(\d+s elapsed\)\nTotal servers: 1\nTotal registered: 200\nTotal active last week: 30\nTotal joined last week: 4\n$/,
  )
  assert.equal((await ctl('domains', 'crawl', '--format', 'domains')).out, `${peer.domain}\n`)
  const found = JSON.parse((await ctl('domains', 'crawl', peer.domain, '-f', 'json', '-x')).out) as Document
  assert.deepEqual(Object.keys(found), [peer.domain])
  assert.deepEqual(bad.asked, [])
})

test('a command copies files of other servers again', async t => {
  const { alice, server } = await people(t, 'alice')
  const ctl = commandsOf(server)
  const peer = await startPeer(t)
  const asked = serveMore(peer, { '/file.png': await picture(8, 8).png().toBuffer() })
  const bob = peer.actor('bob')
  const attachment = [{ type: 'Document', mediaType: 'image/png', url: `${peer.url}/file.png` }]
  const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'a picture', { attachment }))
  const refresh = async (...given: string[]): Promise<string> => {
    const { code, out, err } = await ctl('media', 'refresh', ...given)
    assert.equal(code, 0, err)
    return out
  }
  assert.match(await refresh('--domain', peer.domain, '--dry-run'), /^Downloaded 1 media attachments .* \(DRY RUN\)\n$/)
  assert.deepEqual(asked, [])
  assert.match(await refresh('--account', bob.acct), /^Downloaded 1 media attachments \(approx\. [\d.]+ \w+\)\n$/)
  const [shown] = entities(((await alice.get(`/api/v1/statuses/${status.id}`)).json as Document)['media_attachments'])
  assert.ok(String(shown?.['url']).startsWith(server.url), String(shown?.['url']))
  assert.match(await refresh('--status', status.id), /^Downloaded 0 /)
  assert.match(await refresh('--status', status.id, '--force', '-v'), /file\.png\nDownloaded 1 /)
  assert.equal(asked.length, 2)
  const copyOf = async (): Promise<string> => {
    const { json } = await alice.get(`/api/v1/statuses/${status.id}`)
    return String(entities((json as Document)['media_attachments'])[0]?.['url'])
  }
  const copy = await copyOf()
  assert.notEqual(copy, shown?.['url'])
  assert.deepEqual([(await fetch(copy)).status, (await fetch(String(shown?.['url']))).status], [200, 404])
  const usual = peer.answer.bind(peer)
  peer.answer = (request, response, body) =>
    request.url === '/file.png' ? void response.writeHead(500).end() : usual(request, response, body)
  assert.match(await refresh('--status', status.id, '--force'), /^Downloaded 0 /)
  assert.equal(await copyOf(), copy, 'a copy stays when its server has no other')
  assert.equal((await fetch(copy)).status, 200)
  await sql(server, `insert into domain_blocks (domain, severity, reject_media) values ($1, 'noop', true)`, [
    peer.domain,
  ])
  assert.match(await refresh('--days', '1', '--force'), /^Downloaded 0 /)
  for (const [given, fault] of [
    [[], 'Specify the source of media attachments'],
    [['--account', 'nobody@else.example'], 'No such account'],
  ] as const) {
    const refused = await ctl('media', 'refresh', ...given)
    assert.deepEqual([refused.code, refused.err.includes(fault)], [1, true], refused.err)
  }
})

test('each file is copied again, also after some that its server did not give', async t => {
  const { alice, server } = await people(t, 'alice')
  const ctl = commandsOf(server)
  const peer = await startPeer(t)
  const file = await picture(8, 8).png().toBuffer()
  const usual = peer.answer.bind(peer)
  let requests = 0
  peer.answer = (request, response, body) => {
    if (request.url?.startsWith('/many') !== true) return usual(request, response, body)
    requests += 1
    response.writeHead(requests > 3 ? 200 : 503, { 'content-type': 'image/png' }).end(requests > 3 ? file : '')
  }
  const bob = peer.actor('bob')
  for (const post of [1, 2]) {
    const attachment = [1, 2, 3, 4].map(place => ({
      type: 'Document',
      mediaType: 'image/png',
      url: `${peer.url}/many/${post}${place}`,
    }))
    await deliver(server, alice, bob, noteTo(server, alice, bob, 'pictures', { attachment }))
  }
  const { code, out, err } = await ctl('media', 'refresh', '--domain', peer.domain)
  assert.equal(code, 0, err)
  assert.match(out, /^Downloaded 5 /)
})

test('a command fetches posts of other servers by their URLs', async t => {
  const { server } = await people(t, 'alice')
  const ctl = commandsOf(server)
  const peer = await startPeer(t)
  const note = peer.serve(peer.actor('bob').note('not known yet'))
  const fetched = await ctl('statuses', 'fetch', note.id)
  assert.equal(fetched.code, 0, fetched.err)
  const [row] = await sql(server, 'select id::text from statuses where uri = $1', [note.id])
  assert.equal(fetched.out, `OK, ${note.id} is ${String(row?.['id'])}\n`)
  const missing = await ctl('statuses', 'fetch', `${peer.url}/nothing`)
  assert.deepEqual(
    [missing.code, missing.err.includes(`Nothing was found at ${peer.url}/nothing`)],
    [1, true],
    missing.err,
  )
})
