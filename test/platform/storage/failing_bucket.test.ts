import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type Test } from 'tap'
import { readConfig } from '../../../src/core/config.ts'
import { ApiError } from '../../../src/core/errors.ts'
import { openBucket } from '../../../src/platform/storage/bucket.ts'
import { becomes } from '../settings/pair.ts'
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
      storage.list()[Symbol.asyncIterator]().next(),
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

/** A bucket that answers uploads with these statuses, and what it was sent each time. */
async function openAnswering(t: Test, ...statuses: number[]) {
  const bodies: Buffer[] = []
  const server = createHttpServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      bodies.push(Buffer.concat(parts))
      response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  return { storage: await openAt(t, server), bodies }
}

test('an upload of a file that fails for a moment is repeated with the whole file', async t => {
  const { storage, bodies } = await openAnswering(t, 503, 429)
  const bytes = Buffer.alloc(200_000, 'millrace')
  const { source } = await makeFile(t, bytes)
  await storage.putFile(key, source, 'video/mp4')
  assert.deepEqual(
    bodies.map(body => body.equals(bytes)),
    [true, true, true],
  )
})

test('an upload of a file is tried three times, and once when the bucket refuses it', async t => {
  const { source } = await makeFile(t, Buffer.from('x'))
  for (const [status, tries] of [
    [503, 3],
    [403, 1],
  ] as const) {
    const { storage, bodies } = await openAnswering(t, ...Array<number>(9).fill(status))
    await assert.rejects(storage.putFile(key, source, 'video/mp4'), isUnavailable)
    assert.equal(bodies.length, tries)
  }
})

/** What this process has open; nothing where the system does not tell. */
async function openFiles(): Promise<(string | undefined)[]> {
  const found = await readdir('/proc/self/fd').catch(() => [])
  return Promise.all(found.map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => undefined)))
}

test('a file whose upload fails is closed', async t => {
  const breaking = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.resetAndDestroy())
  })
  const storage = await openAt(t, breaking)
  const { source } = await makeFile(t, Buffer.alloc(8 * 1024 * 1024))
  await assert.rejects(storage.putFile(key, source, 'video/mp4'), isUnavailable)
  await becomes(async () => (await openFiles()).includes(source), false, 'the file is closed')
})
