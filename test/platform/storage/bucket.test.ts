import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type Test } from 'tap'
import { readConfig } from '../../../src/core/config.ts'
import { ApiError } from '../../../src/core/errors.ts'
import { makeKey, openFolder, openStorage, type Storage } from '../../../src/platform/storage/index.ts'
import { openTestBucket, type TestBucket } from '../../support/bucket.ts'

async function opened(
  t: Test,
  env: Record<string, string> = {},
): Promise<{ storage: Storage; bucket: TestBucket; folder: string }> {
  const bucket = await openTestBucket(t)
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bucket-test-'))
  t.after(() => rm(folder, { recursive: true }))
  return { storage: openStorage(readConfig({ ...bucket.env, ...env })), bucket, folder }
}

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable'

test('a stored file is publicly readable until it is removed', async t => {
  const { storage, bucket, folder } = await opened(t)
  const key = makeKey('avatars', 'png')
  assert.equal(await storage.sizeOf(key), undefined)
  assert.equal(await storage.copyFor(key, folder), undefined)
  await storage.put(key, Buffer.from('picture'), 'image/png')
  assert.equal(await storage.sizeOf(key), 7)
  assert.equal(storage.url(key), `${bucket.url}/${key}`)
  const response = await fetch(storage.url(key))
  assert.deepEqual(
    [
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
      await response.text(),
    ],
    [200, 'image/png', 'public, max-age=31536000, immutable', 'picture'],
  )
  const copy = await storage.copyFor(key, folder)
  assert.equal(await readFile(copy ?? '', 'utf8'), 'picture')
  await storage.remove(key)
  await storage.remove(key)
  assert.equal((await fetch(storage.url(key))).status, 404)
})

test('a file is uploaded without being read into memory', async t => {
  const { storage, folder } = await opened(t)
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'millrace')
  const source = path.join(folder, 'source')
  await writeFile(source, bytes)
  const key = makeKey('media', 'mp4')
  await storage.putFile(key, source, 'video/mp4')
  assert.equal(await storage.sizeOf(key), bytes.length)
  assert.deepEqual(Buffer.from(await (await fetch(storage.url(key))).arrayBuffer()), bytes)
})

test('all files of a bucket or a folder are listed in the order of their keys', async t => {
  const { storage: inBucket, folder } = await opened(t)
  const inFolder = openFolder({ dataDir: folder, mediaUrl: 'https://one.example' })
  const keys = ['previews', 'preview_cards', 'media', 'media', 'media'].map(kind => makeKey(kind, 'png'))
  for (const storage of [inBucket, inFolder]) {
    for (const key of keys) await storage.put(key, Buffer.from('picture'), 'image/png')
    const listed: string[] = []
    for await (const { key, modifiedAt } of storage.list()) {
      assert.ok(Math.abs(Date.now() - modifiedAt.getTime()) < 600_000)
      listed.push(key)
    }
    assert.deepEqual(listed, keys.toSorted())
  }
  const nowhere = openFolder({ dataDir: path.join(folder, 'none'), mediaUrl: '' })
  for await (const { key } of nowhere.list()) assert.fail(key)
})

test('URLs use the configured public address', async t => {
  const { storage } = await opened(t, { S3_PUBLIC_URL: 'https://cdn.example/files/' })
  const key = makeKey('media', 'png')
  assert.equal(storage.url(key), `https://cdn.example/files/${key}`)
  assert.equal(storage.origin, 'https://cdn.example')
  assert.deepEqual(await storage.open(key), { url: `https://cdn.example/files/${key}` })
  assert.equal(await storage.open('../secret'), undefined)
})

test('without an endpoint the bucket is at Amazon, with its name in the host', async () => {
  const storage = openStorage(readConfig({ S3_BUCKET: 'mill', S3_REGION: 'eu-central-1' }))
  const key = makeKey('media', 'png')
  assert.equal(storage.url(key), `https://mill.s3.eu-central-1.amazonaws.com/${key}`)
})

test('a missing permission, a missing bucket and an unreachable host are all unavailable', async t => {
  const { storage, bucket, folder } = await opened(t)
  const key = makeKey('media', 'png')
  const elsewhere = openStorage(readConfig({ ...bucket.env, S3_BUCKET: 'nothing-here' }))
  await assert.rejects(elsewhere.put(key, Buffer.from('x'), 'image/png'), isUnavailable)
  const locked = openStorage(readConfig({ ...bucket.env, S3_ACCESS_KEY_ID: 'nobody' }))
  await assert.rejects(locked.put(key, Buffer.from('x'), 'image/png'), isUnavailable)
  assert.equal(await storage.sizeOf(key), undefined)
  await bucket.stop()
  await assert.rejects(storage.put(key, Buffer.from('x'), 'image/png'), isUnavailable)
  await assert.rejects(storage.remove(key), isUnavailable)
  await assert.rejects(storage.copyFor(key, folder), isUnavailable)
})
