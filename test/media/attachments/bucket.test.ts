import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type Test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { openTestBucket, type TestBucket } from '../../support/bucket.ts'
import { Client } from '../../support/client.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import {
  entity,
  errorOf,
  fetchFile,
  movingGif,
  isThere,
  picture,
  until,
  upload,
  withoutFfmpeg,
} from './media_fixtures.ts'

async function open(t: Test): Promise<{ server: TestServer; bucket: TestBucket; alice: Person }> {
  const bucket = await openTestBucket(t)
  const server = await startServer(t, { env: bucket.env })
  return { server, bucket, alice: await person(server, 'alice') }
}

const statusOf = async (url: unknown): Promise<number> => (await fetch(String(url))).status

test('pictures are stored in the bucket, served from it and removed from it', async t => {
  const { server, bucket, alice } = await open(t)
  const made = entity(await upload(alice, 'v2', await picture(60, 40).png().toBuffer()))
  for (const url of [made['url'], made['preview_url']]) {
    assert.ok(String(url).startsWith(`${bucket.url}/`), String(url))
    assert.equal((await fetchFile(url)).headers.get('content-type'), 'image/png')
  }
  // URLs from before the bucket redirect to it.
  const key = String(made['url']).slice(bucket.url.length)
  const old = await new Client(server).get(`/media${key}`)
  assert.deepEqual([old.status, old.headers.get('location')], [302, made['url']])
  assert.equal((await new Client(server).get('/media/uploads/00/00/0000000000000000000000000000.bin')).status, 404)
  assert.equal((await alice.delete(`/api/v1/media/${made.id}`)).status, 200)
  await waitForRemoval(made['url'])
  await waitForRemoval(made['preview_url'])
})

/** Waits until a job has removed a file. */
const waitForRemoval = (url: unknown): Promise<boolean> =>
  until(
    () => isThere(url),
    there => !there,
    'a removed file',
  )

test('conversions read from the bucket and write to it', { skip: withoutFfmpeg }, async t => {
  const { server, bucket, alice } = await open(t)
  const { id } = entity(await upload(alice, 'v2', await movingGif(40, 30), { type: 'image/gif' }), 202)
  const shown = await until(
    () => alice.get(`/api/v1/media/${id}`),
    response => response.status !== 206,
    'the conversion',
  )
  const made = entity(shown)
  assert.equal(made['type'], 'gifv')
  assert.ok(String(made['url']).startsWith(`${bucket.url}/`))
  assert.equal((await fetchFile(made['url'])).headers.get('content-type'), 'video/mp4')
  await alice.postStatus('look', { media_ids: [id] })
  const player = await new Client(server).get(`/media/${id}/player`)
  const policy = player.headers.get('content-security-policy') ?? ''
  const { origin } = new URL(bucket.url)
  const pages = ['/', '/auth/sign_in', `/@${alice.username}`, '/nowhere']
  for (const page of pages) {
    const { headers } = await new Client(server).get(page, {}, { accept: 'text/html' })
    const own = headers.get('content-security-policy') ?? ''
    assert.ok(own.includes(`img-src 'self' ${origin} data:; media-src 'self' ${origin};`), `${page}: ${own}`)
  }
  assert.ok(policy.includes(`media-src 'self' ${origin}; img-src 'self' ${origin};`), policy)
})

test('avatars, headers and emojis are stored in the bucket; replaced ones are removed', async t => {
  const { server, bucket, alice } = await open(t)
  const form = new FormData()
  for (const name of ['avatar', 'header']) {
    form.append(
      name,
      new Blob([Uint8Array.from(await picture(50, 50).png().toBuffer())], { type: 'image/png' }),
      'a.png',
    )
  }
  const changed = entity(await alice.request('PATCH', '/api/v1/accounts/update_credentials', { body: form }))
  for (const name of ['avatar', 'header']) {
    assert.ok(String(changed[name]).startsWith(`${bucket.url}/`), String(changed[name]))
    assert.equal(await statusOf(changed[name]), 200)
  }
  assert.equal((await alice.delete('/api/v1/profile/avatar')).status, 200)
  await waitForRemoval(changed['avatar'])
  assert.equal(await statusOf(changed['header']), 200)

  const file = path.join(server.config.dataDir, 'blob.png')
  await writeFile(file, await picture(16, 16).png().toBuffer())
  const environment = { ...bucket.env, DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataDir }
  const added = await runHere(['emoji', 'add', 'blob', file], environment)
  assert.equal(added.code, 0, added.err)
  const { json } = await new Client(server).get('/api/v1/custom_emojis')
  const [emoji] = json as { url: string }[]
  assert.ok(emoji?.url.startsWith(`${bucket.url}/`), JSON.stringify(json))
  assert.equal(await statusOf(emoji?.url), 200)
  const usage = await runHere(['media', 'usage'], environment)
  assert.match(usage.out, /^Custom Emoji +\d+/m)
  assert.equal((await runHere(['emoji', 'delete', 'blob'], environment)).code, 0)
  assert.equal(await statusOf(emoji?.url), 404)
})

test('an unreachable bucket is a 503 and leaves nothing incomplete', async t => {
  const { server, bucket, alice } = await open(t)
  await bucket.stop()
  const refused = await upload(alice, 'v2', await picture(60, 40).png().toBuffer())
  assert.deepEqual(
    [refused.status, errorOf(refused)],
    [503, 'There was a temporary problem serving your request, please try again'],
  )
  assert.deepEqual(await sql(server, 'select id from media_attachments'), [])
  const form = new FormData()
  form.append(
    'avatar',
    new Blob([Uint8Array.from(await picture(50, 50).png().toBuffer())], { type: 'image/png' }),
    'a.png',
  )
  form.append('display_name', 'Alicia')
  assert.equal((await alice.request('PATCH', '/api/v1/accounts/update_credentials', { body: form })).status, 503)
  const own = entity(await alice.get('/api/v1/accounts/verify_credentials'))
  assert.notEqual(own['display_name'], 'Alicia')
  assert.match(String(own['avatar']), /missing\.png$/)
})
