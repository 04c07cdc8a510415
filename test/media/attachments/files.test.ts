import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { test } from 'tap'
import { makeKey, openStorage, SOURCES } from '../../../src/platform/storage/index.ts'
import { people } from '../../support/people.ts'
import { sharedServer, type ServerAddress } from '../../support/server.ts'
import { entity, fetchFile, picture, recording, TONE, upload, withoutFfmpeg } from './media_fixtures.ts'

/** Requests a path as it is: `fetch` would resolve the dots. */
const statusOf = (server: ServerAddress, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })

test('a file is sent with its type, cacheable without end, and without running scripts', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const made = entity(await upload(alice, 'v2', await picture(40, 30).png().toBuffer()))
  const url = new URL(String(made['url']))
  assert.equal(url.origin, alice.server.url)
  const { headers, bytes } = await fetchFile(url.href)
  assert.equal(headers.get('content-type'), 'image/png')
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  assert.equal(headers.get('content-length'), String(bytes.length))
  assert.equal(headers.get('accept-ranges'), 'bytes')
  const again = await anonymous.get(url.pathname, {}, { 'if-none-match': headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
  const head = await anonymous.request('HEAD', url.pathname)
  assert.equal(head.headers.get('content-length'), String(bytes.length))
})

test('byte ranges of a file can be requested', async t => {
  const { alice } = await people(t, 'alice')
  const made = entity(await upload(alice, 'v2', await picture(40, 30).png().toBuffer()))
  const url = String(made['url'])
  const whole = (await fetchFile(url)).bytes
  const part = async (range: string): Promise<[number, string | null, Buffer]> => {
    const response = await fetch(url, { headers: { range } })
    return [response.status, response.headers.get('content-range'), Buffer.from(await response.arrayBuffer())]
  }
  assert.deepEqual(await part('bytes=1-3'), [206, `bytes 1-3/${whole.length}`, Buffer.from('PNG')])
  const [status, , tail] = await part('bytes=-4')
  assert.equal(status, 206)
  assert.deepEqual(tail, whole.subarray(-4))
  const [beyond, range] = await part('bytes=999999-')
  assert.deepEqual([beyond, range], [416, `bytes */${whole.length}`])
})

test('a file that is removed during requests is sent whole or not found', async t => {
  const { alice } = await people(t, 'alice')
  const server = await sharedServer()
  const bytes = await picture(400, 300).png().toBuffer()
  const url = new URL(String(entity(await upload(alice, 'v2', bytes))['url']))
  const file = path.join(server.config.dataDir, url.pathname)
  const stored = await readFile(file)
  for (let round = 0; round < 300; round += 1) {
    await writeFile(file, stored)
    const download = fetch(url).then(async answer => [answer.status, Buffer.from(await answer.arrayBuffer())] as const)
    // Each round removes it at another moment.
    for (let turns = round % 20; turns > 0; turns -= 1) await setImmediate()
    const [[status, sent]] = await Promise.all([download, rm(file)])
    assert.ok(status === 200 ? sent.equals(stored) : status === 404, `${status}, ${sent.length} bytes`)
  }
})

test('only stored files can be requested', async t => {
  const { alice, server } = await people(t, 'alice')
  const made = entity(await upload(alice, 'v2', await picture(40, 30).png().toBuffer()))
  const path = new URL(String(made['url'])).pathname
  assert.equal(await statusOf(server, path), 200)
  const others = [
    '/media/../config.ts',
    '/media/media/../../etc/passwd',
    '/media/..%2f..%2f/etc/passwd',
    '/media/media/00/00/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/media/%2e%2e/%2e%2e/%2e%2e/etc',
    `${path}%00`,
    `${path}/`,
    path.replace('.png', '.html'),
    path.replace('.png', '.jpg'),
    path.toUpperCase(),
    '/media/media/00/00/0000000000000000000000000000.png',
    '/media/media/00/00',
    '/media/',
  ]
  for (const other of others)
    assert.ok([400, 404].includes(await statusOf(server, other)) || other === `${path}/`, other)
})

test('files that wait for conversion cannot be fetched', async t => {
  const { anonymous, server } = await people(t)
  const storage = openStorage(server.config)
  const source = makeKey(SOURCES, 'bin')
  await storage.put(source, Buffer.from('source'), 'application/octet-stream')
  assert.equal((await anonymous.get(new URL(storage.url(source)).pathname)).status, 404)
})

test('a short URL redirects to the file of a visible post', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const bytes = await picture(40, 30).png().toBuffer()
  const [shown, hidden, loose] = [
    entity(await upload(alice, 'v2', bytes)),
    entity(await upload(alice, 'v2', bytes)),
    entity(await upload(alice, 'v2', bytes)),
  ]
  await alice.postStatus('for all', { media_ids: [shown.id] })
  await alice.postStatus('for few', { media_ids: [hidden.id], visibility: 'private' })
  const places: [string, unknown][] = [
    [`/media/${shown.id}`, shown['url']],
    [`/media_proxy/${shown.id}`, shown['url']],
    [`/media_proxy/${shown.id}/original`, shown['url']],
    [`/media_proxy/${shown.id}/small`, shown['preview_url']],
  ]
  for (const [path, url] of places) {
    const answer = await anonymous.get(path)
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, url], path)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  }
  for (const { id } of [hidden, loose, { id: '1' }, { id: 'x' }])
    for (const path of [`/media/${id}`, `/media_proxy/${id}`, `/media/${id}/player`])
      assert.equal((await anonymous.get(path)).status, 404, path)
  assert.equal((await anonymous.get(`/media/${shown.id}/player`)).status, 404, 'a picture is not played')
})

test('other sites may embed a player', { skip: withoutFfmpeg }, async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const description = 'a "tone" <b>'
  const made = entity(await upload(alice, 'v1', await recording('mp3', ...TONE), { type: 'audio/mpeg', description }))
  await alice.postStatus('listen', { media_ids: [made.id] })
  const page = await anonymous.get(`/media/${made.id}/player`)
  assert.equal(page.status, 200)
  assert.ok(page.text.includes(`<audio src="${String(made['url'])}"`))
  assert.ok(page.text.includes('a &quot;tone&quot; &lt;b&gt;'))
  assert.equal(page.headers.get('x-frame-options'), null)
  assert.match(page.headers.get('content-security-policy') ?? '', /media-src 'self'.*frame-ancestors \*/)
})
