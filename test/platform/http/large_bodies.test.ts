import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { entity, errorOf, picture, until, upload } from '../../media/attachments/media_fixtures.ts'
import { createTestDatabase } from '../../support/database.ts'
import { people, person } from '../../support/people.ts'
import { startProgram, type Program } from '../../support/program.ts'
import { openRequest, type RawRequest } from '../../support/raw_request.ts'
import type { ServerAddress } from '../../support/server.ts'

const MEGABYTE = 1024 * 1024
const BOUNDARY = 'one-of-these'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
const TAIL = `\r\n--${BOUNDARY}--\r\n`
const withoutProc = process.platform !== 'linux' && 'what a process holds is read from /proc'

interface Attacked extends ServerAddress {
  readonly program: Program
  readonly folder: string
}

/** A separate process, whose memory can be measured. */
async function startAttacked(t: Test): Promise<Attacked> {
  const { url: databaseUrl } = await createTestDatabase(t)
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bodies-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const program = await startProgram(t, { DATABASE_URL: databaseUrl, DATA_DIR: folder, TRUSTED_PROXIES: 'loopback' })
  await program.logged('listening')
  return { url: program.url, databaseUrl, program, folder }
}

/** The peak memory of the process in megabytes. */
async function peakOf({ program }: Attacked): Promise<number> {
  const status = await readFile(`/proc/${program.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

const fields = (token: string | undefined, sizeBytes: number): Record<string, string | number> => ({
  ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  'Content-Type': MULTIPART,
  'Content-Length': sizeBytes,
})

/** Sends so much that the server would certainly have buffered it, if it buffered. */
async function sendMegabytes(request: RawRequest, amount: number): Promise<void> {
  const piece = Buffer.alloc(MEGABYTE, 7)
  for (let sent = 0; sent < amount; sent += 1) await request.send(piece)
}

test('large anonymous uploads are not buffered', { skip: withoutProc }, async t => {
  const server = await startAttacked(t)
  const before = await peakOf(server)
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const request = await openRequest(t, server.url, 'POST /api/v2/media', fields(undefined, 98 * MEGABYTE))
      const piece = Buffer.alloc(MEGABYTE, 7)
      // Continues after the response, like clients that read it only afterwards.
      for (let sent = 0; sent < 98 && !request.socket.destroyed; sent += 1)
        await new Promise<void>(resolve => void request.socket.write(piece, () => resolve()))
      return request.status()
    }),
  )
  assert.deepEqual(
    statuses,
    statuses.map(() => 401),
  )
  const grown = (await peakOf(server)) - before
  assert.ok(grown < 100, `grew by ${grown} MB`)
  t.comment(`grew by ${grown} MB`)
  assert.deepEqual(await readdir(path.join(server.folder, 'tmp')).catch(() => []), [])
})

test('stalled uploads use no memory, and do not block others', { skip: withoutProc }, async t => {
  const server = await startAttacked(t)
  const [mallory, alice] = await Promise.all([person(server, 'mallory'), person(server, 'alice')])
  const small = await picture(40, 30).png().toBuffer()
  entity(await upload(alice, 'v2', small))
  const before = await peakOf(server)
  const held = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const request = await openRequest(t, server.url, 'POST /api/v2/media', fields(mallory.token, 107 * MEGABYTE))
      await request.send(HEAD)
      await sendMegabytes(request, 100)
      return request
    }),
  )
  assert.equal(
    held.filter(({ answer: response }) => response.startsWith('HTTP/1.1 429')).length,
    1,
    'the fifth is one too many',
  )
  const grown = (await peakOf(server)) - before
  assert.ok(grown < 300, `grew by ${grown} MB`)
  t.comment(`grew by ${grown} MB`)
  entity(await upload(alice, 'v2', small))
  const big = Buffer.concat([await picture(40, 30).png().toBuffer(), Buffer.alloc(3 * MEGABYTE)])
  const elsewhere = await fetch(`${server.url}/api/v2/media`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${alice.token}`,
      'content-type': MULTIPART,
      'x-forwarded-for': '203.0.113.7',
    },
    body: Buffer.concat([Buffer.from(HEAD), big, Buffer.from(TAIL)]),
  })
  assert.equal(elsewhere.status, 200, await elsewhere.text())
  for (const { socket } of held) socket.destroy()
  const temporary = (): Promise<string[]> => readdir(path.join(server.folder, 'tmp'))
  await until(temporary, found => found.length === 0, 'the files of what was broken off to be removed')
})

test('stalled small bodies are limited per address and in all', { skip: withoutProc }, async t => {
  const server = await startAttacked(t)
  const alice = await person(server, 'alice')
  await alice.postStatus('before')
  const before = await peakOf(server)
  const piece = Buffer.alloc(900 * 1024, ' ')
  const held = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': MEGABYTE }
      const address = index < 500 ? '203.0.113.1' : `198.51.${index % 100}.1`
      const request = await openRequest(t, server.url, 'POST /api/v1/apps', { ...headers, 'X-Forwarded-For': address })
      await request.send(piece)
      return request
    }),
  )
  const refused = (status: number): number =>
    held.filter(({ answer: response }) => response.startsWith(`HTTP/1.1 ${status}`)).length
  await until(
    async () => (await setImmediate(), refused(429) + refused(503)),
    found => found > 700,
    'most to be refused',
  )
  assert.ok(refused(429) > 400, 'those of one address')
  const grown = (await peakOf(server)) - before
  assert.ok(grown < 350, `grew by ${grown} MB`)
  t.comment(`grew by ${grown} MB`)
  await alice.postStatus('a small one is taken meanwhile')
})

/** A body in chunks of one byte each. */
function inSingleBytes(body: Buffer): Buffer {
  const chunks = Buffer.alloc(body.length * 6, '1\r\n?\r\n')
  for (const [at, byte] of body.entries()) chunks[at * 6 + 3] = byte
  return Buffer.concat([chunks, Buffer.from('0\r\n\r\n')])
}

test('a body in chunks of one byte takes no more memory than another', { skip: withoutProc }, async t => {
  const server = await startAttacked(t)
  const alice = await person(server, 'alice')
  const before = await peakOf(server)
  const send = async (line: string, type: string, body: Buffer): Promise<number> => {
    const headers = { Authorization: `Bearer ${alice.token}`, 'Content-Type': type, 'Transfer-Encoding': 'chunked' }
    const request = await openRequest(t, server.url, line, headers)
    await request.send(inSingleBytes(body))
    return request.status()
  }
  const post = { status: 'in single bytes', ignored: 'a'.repeat(900 * 1024) }
  assert.equal(await send('POST /api/v1/statuses', 'application/json', Buffer.from(JSON.stringify(post))), 200)
  const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="ignored"\r\n\r\n${'a'.repeat(900 * 1024)}\r\n`
  const form = Buffer.concat([
    Buffer.from(part + HEAD),
    await picture(40, 30).png().toBuffer(),
    Buffer.alloc(400 * 1024),
    Buffer.from(TAIL),
  ])
  assert.equal(await send('POST /api/v2/media', MULTIPART, form), 200)
  const grown = (await peakOf(server)) - before
  t.comment(`grew by ${grown} MB`)
  assert.ok(grown < 100, `grew by ${grown} MB`)
})

/** A form with a picture, made longer by what follows the picture. */
async function slowForm(extraBytes: number): Promise<Buffer> {
  const small = await picture(40, 30).png().toBuffer()
  return Buffer.concat([Buffer.from(HEAD), small, Buffer.alloc(extraBytes), Buffer.from(TAIL)])
}

test('uploads that are slow, or stop for a while, are received', async t => {
  const { alice, server } = await people(t, 'alice')
  const send = async (body: Buffer, pieces: readonly number[], pauseMs: number): Promise<number> => {
    const request = await openRequest(t, server.url, 'POST /api/v2/media', fields(alice.token, body.length))
    let sent = 0
    for (const size of pieces) {
      await request.send(body.subarray(sent, (sent += size)))
      await setTimeout(pauseMs)
    }
    await request.send(body.subarray(sent))
    return request.status()
  }
  const [inMemory, onDisk] = await Promise.all([slowForm(100_000), slowForm(1_500_000)])
  const statuses = await Promise.all([
    send(
      inMemory,
      Array.from({ length: 14 }, () => 7000),
      1000,
    ),
    send(onDisk, [1_200_000], 14_000),
    send(inMemory, [40_000], 14_000),
  ])
  assert.deepEqual(statuses, [200, 200, 200])
})

test('slow senders are disconnected when their address has too many', async t => {
  const { server } = await people(t)
  const requests = await Promise.all(
    Array.from({ length: 36 }, async () => {
      const request = await openRequest(t, server.url, 'POST /api/v1/apps', { 'Content-Length': 1000 })
      await request.send('a')
      return request
    }),
  )
  const open = (): number => requests.filter(({ socket }) => !socket.destroyed).length
  await until(
    async () => (await setTimeout(50), open()),
    count => count <= 32,
    'those beyond the limit to be closed',
  )
  assert.equal(open(), 32)
})

test('a large body needs a permitted sender, whose token is not in the body', async t => {
  const { alice, server, anonymous } = await people(t, 'alice')
  const reader = await person(server, 'bob', { scopes: ['read'] })
  const large = Buffer.concat([await picture(40, 30).png().toBuffer(), Buffer.alloc(2 * MEGABYTE)])
  assert.equal((await upload(reader, 'v2', large)).status, 403)
  assert.equal((await upload(anonymous, 'v2', large)).status, 401)
  const form = (): FormData => {
    const made = new FormData()
    made.append('access_token', alice.token ?? '')
    made.append('file', new Blob([Uint8Array.from(large)]), 'a.png')
    return made
  }
  assert.equal((await anonymous.post('/api/v2/media', form())).status, 401)
  entity(await anonymous.request('POST', '/api/v2/media', { body: form(), query: { access_token: alice.token ?? '' } }))
  const declared = await openRequest(t, server.url, 'POST /api/v2/media', fields(alice.token, 1000 * MEGABYTE))
  assert.equal(await declared.status(), 413)
  const elsewhere = await openRequest(t, server.url, 'DELETE /api/v1/media/1', fields(alice.token, 2 * MEGABYTE))
  assert.equal(await elsewhere.status(), 413, 'only operations that take files take large bodies')
})

test('a body in chunks, without a length, or as base64 arrives complete', async t => {
  const { alice, server } = await people(t, 'alice')
  const noise = Buffer.alloc(3 * 900 * 900)
  for (let at = 0; at < noise.length; at += 1) noise[at] = (at * at * 31 + (at >> 5)) & 255
  const { default: sharp } = await import('sharp')
  const large = await sharp(noise, { raw: { width: 900, height: 900, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  assert.ok(large.length > 2 * MEGABYTE)
  const size = (body: unknown): unknown => (body as { meta: { original: { size: string } } }).meta.original.size
  const described = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="description"\r\n\r\nall of it\r\n`
  const body = Buffer.concat([Buffer.from(HEAD), large, Buffer.from(`\r\n${described}--${BOUNDARY}--`)])
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += 70_001) yield body.subarray(at, at + 70_001)
  }
  const chunked = await fetch(`${server.url}/api/v2/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}`, 'content-type': MULTIPART },
    body: pieces(),
    duplex: 'half',
  })
  const made = (await chunked.json()) as { description: string }
  assert.equal(chunked.status, 200, JSON.stringify(made))
  assert.equal(size(made), '900x900')
  assert.equal(made.description, 'all of it')
  const file = `data:image/png;base64,${large.toString('base64')}`
  assert.equal(size(entity(await alice.post('/api/v2/media', { file }))), '900x900')
  const avatar = entity(await alice.patch('/api/v1/accounts/update_credentials', { avatar: file }))
  assert.match(String(avatar['avatar']), /\/avatars\//)
  const cut = await alice.request('POST', '/api/v2/media', {
    body: body.subarray(0, body.length - 4).toString('latin1'),
    headers: { 'content-type': MULTIPART },
  })
  assert.equal(cut.status, 400)
  assert.equal(errorOf(cut), 'The request body could not be read')
  const temporary = (): Promise<string[]> => readdir(path.join(server.config.dataDir, 'tmp'))
  await until(temporary, found => found.length === 0, 'what was written to be removed')
})

test('files of a killed process are removed at the next start', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bodies-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const gone = path.join(folder, 'tmp', `body-${hostname()}.999999999-abcdef`)
  const others = path.join(folder, 'tmp', 'body-another-machine.1-abcdef')
  for (const made of [gone, others]) await mkdir(made, { recursive: true })
  const { databaseUrl } = await startAttacked(t)
  const program = await startProgram(t, { DATABASE_URL: databaseUrl, DATA_DIR: folder })
  await program.logged('listening')
  assert.deepEqual(await readdir(path.join(folder, 'tmp')), [path.basename(others)])
})
