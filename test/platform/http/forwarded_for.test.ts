import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { RawConnection, type RawResponse } from '../../support/raw_http.ts'
import { startServer, type TestServer } from '../../support/server.ts'

/** One request on its own connection, with a header X-Forwarded-For for each value. */
async function ask(server: { url: string }, first: string, forwardedFor: readonly string[]): Promise<RawResponse> {
  const connection = await RawConnection.open(server.url)
  try {
    const forwarded = forwardedFor.map(
      (value, index) => `${index % 2 ? 'x-forwarded-for' : 'X-Forwarded-For'}: ${value}`,
    )
    return await connection.request(`${first} HTTP/1.1`, ['Host: example.com', ...forwarded])
  } finally {
    connection.close()
  }
}

/** Blocks an address, and waits until the server applies the rule. */
async function shutOut(t: Test, server: TestServer, address: string): Promise<void> {
  const ctl = await createCommandLine(t, server.databaseUrl)
  await ctl.ok('ip_blocks', 'add', address, '--severity', 'no_access')
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await ask(server, 'GET /health', [address])).status === 403) return
  }
  throw new Error(`${address} is still let in`)
}

test('the last of several X-Forwarded-For headers counts, since the nearest proxy wrote it', async t => {
  const server = await startServer(t)
  const read = async (...forwardedFor: string[]): Promise<number> =>
    (await ask(server, 'GET /metrics', forwardedFor)).status
  assert.equal(await read('127.0.0.1', '127.0.0.1'), 200)
  assert.equal(await read('127.0.0.1', '203.0.113.9'), 404)
  assert.equal(await read('', '203.0.113.9'), 404)
  assert.equal(await read('127.0.0.1', '127.0.0.1', '203.0.113.9, 127.0.0.1'), 404)
  assert.equal(await read('203.0.113.9', '127.0.0.1'), 404)
})

test('a blocked client stays blocked, whatever X-Forwarded-For it sends', async t => {
  const server = await startServer(t)
  await shutOut(t, server, '203.0.113.9')
  const handshake = 'GET /api/v1/streaming?stream=public'
  for (const first of ['GET /api/v1/instance', 'GET /api/v1/instance', 'GET /health', 'POST /api/v1/apps']) {
    assert.equal((await ask(server, first, ['192.0.2.1', '203.0.113.9'])).status, 403, first)
    assert.notEqual((await ask(server, first, ['203.0.113.9', '192.0.2.1'])).status, 403, first)
  }
  const connection = await RawConnection.open(server.url)
  t.after(() => connection.close())
  const response = await connection.request(`${handshake} HTTP/1.1`, [
    'Host: example.com',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'X-Forwarded-For: 192.0.2.1',
    'X-Forwarded-For: 203.0.113.9',
  ])
  assert.equal(response.status, 403)
})

test('limits count the client that the nearest proxy names', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const statuses = new Set<number>()
  // A window allows five, and there may be two windows.
  for (let times = 0; times < 12; times += 1) {
    statuses.add((await ask(server, 'POST /api/v1/apps', [`192.0.2.${times}`, '203.0.113.9'])).status)
  }
  assert.ok(statuses.has(429))
  assert.equal((await ask(server, 'POST /api/v1/apps', ['203.0.113.9', '192.0.2.99'])).status, 422)
})
