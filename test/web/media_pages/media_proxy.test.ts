import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { noteTo, deliver } from '../../federation/receive/receive_fixtures.ts'
import { staffMember } from '../../administration/staff_fixtures.ts'
import { upload } from '../../media/attachments/media_fixtures.ts'
import { entities, entity, type Entity } from '../../statuses/status_fixtures.ts'
import { Browser } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { startFiles } from '../../support/federation/files.ts'
import { startPeer, type PeerActor } from '../../support/federation/peer.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

/* Copies of the files of other servers, made when somebody asks for them. */

/** The attachments of a status with these files. */
async function attach(
  server: TestServer,
  reader: Person,
  actor: PeerActor,
  files: readonly (readonly [path: string, mediaType: string | undefined])[],
): Promise<{ status: Entity; attachments: Entity[] }> {
  const attachment = files.map(([path, mediaType]) => ({
    type: 'Document',
    mediaType,
    url: `${actor.peer.url}${path}`,
    name: 'described',
  }))
  const status = await deliver(server, reader, actor, noteTo(server, reader, actor, 'look', { attachment }))
  return { status, attachments: entities(status['media_attachments']) }
}

const ask = async (server: TestServer, path: string): Promise<[status: number, location: string | null]> => {
  const answer = await fetch(`${server.url}${path}`, { redirect: 'manual' })
  await answer.arrayBuffer()
  return [answer.status, answer.headers.get('location')]
}

const read = async (url: string | null) => {
  const answer = await fetch(String(url))
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}

const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom____isomiso2mp41'), Buffer.alloc(64)])

test('the file of another server is copied at the first request, and then redirected to', async t => {
  const { alice, server } = await people(t, 'alice')
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer()
  const { peer, asked } = await startFiles(t, { '/a.png': picture, '/b.mp4': MP4 })
  const bob = peer.actor('bob')
  const { status, attachments } = await attach(server, alice, bob, [
    ['/a.png', 'image/png'],
    ['/b.mp4', 'video/mp4'],
  ])
  const [image, video] = attachments
  const remote = `${peer.url}/a.png`
  assert.deepEqual([image?.['url'], image?.['preview_url']], [remote, remote], 'there is no copy yet')
  const placeholder = await fetch(String(video?.['preview_url']))
  assert.deepEqual([placeholder.status, placeholder.headers.get('content-type')], [200, 'image/png'], 'apps need one')
  const small = `/media_proxy/${image?.id}/small`
  const [[code, preview], [, original]] = await Promise.all([
    ask(server, small),
    ask(server, `/media_proxy/${image?.id}/original`),
  ])
  assert.equal(code, 302)
  const [shown, whole] = [await sharp((await read(preview)).bytes).metadata(), await read(original)]
  assert.ok(shown.width * shown.height < 300_000, 'the preview is small')
  assert.equal((await sharp(whole.bytes).metadata()).width, 900)
  assert.deepEqual(await ask(server, small), [302, preview])
  assert.deepEqual(await ask(server, `/media_proxy/${image?.id}`), [302, original])
  assert.equal(asked.get('/a.png'), 1, 'it was asked for once')
  const [after] = entities(
    ((await alice.get(`/api/v1/statuses/${status.id}`)).json as Record<string, unknown>)['media_attachments'],
  )
  assert.deepEqual(
    [after?.['url'], after?.['preview_url'], after?.['remote_url'], after?.['description']],
    [original, preview, `${peer.url}/a.png`, 'described'],
  )
  const [, played] = await ask(server, `/media_proxy/${video?.id}/small`)
  const recording = await read(played)
  assert.deepEqual([recording.type, recording.bytes.equals(MP4)], ['video/mp4', true])
})

test('a copy shows what kind of file it is, if its server has not said it', async t => {
  const { alice, server } = await people(t, 'alice')
  const picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer()
  const { peer } = await startFiles(t, { '/a': picture, '/b': MP4 })
  const { status, attachments } = await attach(server, alice, peer.actor('bob'), [
    ['/a', undefined],
    ['/b', undefined],
  ])
  const kinds = (files: readonly Entity[]): unknown[] => files.map(({ type }) => type)
  assert.deepEqual(kinds(attachments), ['unknown', 'unknown'])
  for (const { id } of attachments) assert.equal((await ask(server, `/media_proxy/${id}`))[0], 302)
  const { media_attachments: shown } = entity((await alice.get(`/api/v1/statuses/${status.id}`)).json)
  assert.deepEqual(kinds(entities(shown)), ['image', 'video'])
})

test('what cannot be copied, is not visible, or comes from a domain whose media are rejected is not found', async t => {
  const { alice, server } = await people(t, 'alice')
  const { peer, asked } = await startFiles(t, {
    '/gone.png': 404,
    '/script.png': Buffer.from('<script>alert(1)</script>'),
    '/silent.png': 503,
    '/x.png': Buffer.alloc(8),
  })
  const { attachments } = await attach(server, alice, peer.actor('bob'), [
    ['/gone.png', 'image/png'],
    ['/script.png', 'image/png'],
    ['/silent.png', 'image/png'],
    ['/x.png', 'image/png'],
  ])
  const paths = attachments.map(({ id }) => `/media_proxy/${id}`)
  const codes = async () => {
    const found: number[] = []
    for (const path of paths) found.push((await ask(server, path))[0])
    return found
  }
  assert.deepEqual(await codes(), [404, 404, 503, 404])
  assert.equal(asked.size, 4)
  const { attachments: hidden } = await attach(server, alice, peer.actor('carol'), [['/x.png', 'image/png']])
  await sql(
    server,
    `update statuses set visibility = 'private' where id = (select status_id from media_attachments where id = $1)`,
    [hidden[0]?.id],
  )
  const before = asked.get('/x.png')
  for (const path of [`/media_proxy/${hidden[0]?.id}`, '/media_proxy/1', '/media_proxy/x/small'])
    assert.equal((await ask(server, path))[0], 404, path)
  await sql(server, `insert into domain_blocks (domain, severity, reject_media) values ($1, 'noop', true)`, [
    peer.domain,
  ])
  assert.deepEqual(await codes(), [404, 404, 404, 404])
  assert.equal(asked.get('/x.png'), before, 'nothing is asked for')
})

test('a server that gives no answer holds up no copies of files of others, and is soon not asked', async t => {
  const server = await startServer(t, { oneProcess: 'each copies by itself' })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer()
  const { peer } = await startFiles(t, { '/a.png': picture })
  const silent = await startPeer(t)
  const [first, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  const answer = silent.answer.bind(silent)
  silent.answer = (request, response, body) => {
    if (!request.url?.startsWith('/file')) return answer(request, response, body)
    asked += 1
    first.resolve()
    void released.promise.then(() => response.writeHead(503).end())
  }
  const files = ['/file1', '/file2', '/file3', '/file4'].map(path => [path, 'image/png'] as const)
  const { attachments: unanswered } = await attach(server, alice, silent.actor('mallory'), files)
  const { attachments } = await attach(server, alice, peer.actor('bob'), [['/a.png', 'image/png']])
  let ended = 0
  const waiting = unanswered.map(async ({ id }) => {
    const [code] = await ask(server, `/media_proxy/${id}`)
    ended += 1
    return code
  })
  await first.promise
  assert.equal((await ask(server, `/media_proxy/${attachments[0]?.id}`))[0], 302)
  assert.equal(ended, 0)
  released.resolve()
  assert.deepEqual(await Promise.all(waiting), [503, 503, 503, 503])
  assert.equal(asked, 3)
})

test('moderators of reports get the files of a deleted post that is evidence', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer()
  const { id: file } = (await upload(alice, 'v2', picture)).json as { id: string }
  const { id } = await alice.postStatus('look', { media_ids: [file] })
  const { browser } = await staffMember(t, server, 'moderator')
  const member = new Browser(server)
  const carol = await personWithPassword(server, 'carol')
  t.after(() => carol.close())
  await member.signIn(carol.email, PASSWORD)
  const path = `/media_proxy/${file}`
  const statuses = async () => [
    (await browser.get(path)).status,
    (await member.get(path)).status,
    (await ask(server, path))[0],
  ]
  assert.deepEqual(await statuses(), [302, 302, 302])
  await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [id] })
  await alice.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await statuses(), [302, 404, 404])
  assert.equal((await browser.get(`/media/${file}`)).status, 404)
  await sql(server, 'update reports set action_taken_at = now()')
  assert.deepEqual(await statuses(), [404, 404, 404])
})
