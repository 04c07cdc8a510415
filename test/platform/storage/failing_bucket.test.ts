import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type Test } from 'tap'
import { readConfig } from '../../../src/core/config.ts'
import { ApiError } from '../../../src/core/errors.ts'
import { openBucket } from '../../../src/platform/storage/bucket.ts'
import { makeKey, type Storage } from '../../../src/platform/storage/index.ts'

/** A bucket at this server, which may be silent for so long. */
async function openAt(t: Test, server: Server, silenceMs?: number): Promise<Storage> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const config = readConfig({
    S3_BUCKET: 'media',
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  })
  return openBucket({ ...config, s3Bucket: 'media' }, silenceMs === undefined ? {} : { silenceMs })
}

async function makeFile(t: Test, bytes: Buffer): Promise<{ folder: string; source: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bucket-test-'))
  t.after(() => rm(folder, { recursive: true }))
  const source = path.join(folder, 'source')
  await writeFile(source, bytes)
  return { folder, source }
}

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable'
const key = makeKey('media', 'mp4')

test('a bucket that accepts requests and never responds is unavailable', async t => {
  const silent = createServer(socket => void socket.on('error', () => {}))
  const storage = await openAt(t, silent, 100)
  const { folder, source } = await makeFile(t, Buffer.alloc(8 * 1024 * 1024))
  await Promise.all(
    [
      storage.put(key, Buffer.from('x'), 'video/mp4'),
      storage.putFile(key, source, 'video/mp4'),
      storage.sizeOf(key),
      storage.copyFor(key, folder),
      storage.remove(key),
      storage.list().next(),
    ].map(async request => assert.rejects(request, isUnavailable)),
  )
})

test('a file that stops arriving from the bucket is unavailable', async t => {
  const stalling = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbeginning'))
  })
  const storage = await openAt(t, stalling, 100)
  const { folder } = await makeFile(t, Buffer.alloc(0))
  await assert.rejects(storage.copyFor(key, folder), isUnavailable)
})
