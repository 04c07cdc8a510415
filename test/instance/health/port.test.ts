import assert from 'node:assert/strict'
import { test } from 'tap'
import { startDatabaseProxy } from '../../support/tcp_proxy.ts'
import { freePort } from '../../support/port.ts'
import { RawConnection, type RawResponse } from '../../support/raw_http.ts'
import { startServer } from '../../support/server.ts'

/** Sends a raw request, as load balancers do, and waits until the server closes the connection. */
async function check(port: number, first: string, headers: readonly string[] = []): Promise<RawResponse> {
  const connection = await RawConnection.open(`http://127.0.0.1:${port}`)
  const response = await connection.request(first, headers)
  assert.equal(await connection.rest(), '', 'the server closes the connection')
  connection.close()
  return response
}

test('the health port answers HTTP/1.0 without Host and closes the connection', async t => {
  const port = await freePort()
  await startServer(t, { env: { HEALTH_PORT: String(port) } })
  const parts = ['database', 'disk', 'jobs'].map(part => `GET /health/${part} HTTP/1.0`)
  for (const first of [
    'GET /health HTTP/1.0',
    'GET /health HTTP/1.1',
    'GET /api/v1/streaming/health HTTP/1.0',
    ...parts,
  ]) {
    const { status, body, headers } = await check(port, first)
    assert.deepEqual([status, body], [200, 'OK'], first)
    assert.equal(headers.get('cache-control'), 'private, no-store')
  }
  const head = await check(port, 'HEAD /health HTTP/1.0')
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '2'])
  assert.equal((await check(port, 'GET /health?from=haproxy HTTP/1.1', ['Host: example.com'])).status, 200)
  for (const first of ['GET /api/v1/instance HTTP/1.0', 'POST /health HTTP/1.0', 'GET /metrics HTTP/1.0']) {
    assert.equal((await check(port, first)).status, 404, first)
  }
})

test('the health port answers 503 without a database and refuses connections after the stop', async t => {
  const { databaseUrl } = await startServer(t)
  const proxy = await startDatabaseProxy(t, databaseUrl)
  const port = await freePort()
  const server = await startServer(t, { databaseUrl: proxy.url, env: { HEALTH_PORT: String(port) } })
  assert.equal((await check(port, 'GET /health HTTP/1.0')).status, 200)
  proxy.remove()
  const { status, body } = await check(port, 'GET /health HTTP/1.0')
  assert.deepEqual([status, body], [503, 'Service Unavailable'])
  await server.stop()
  await assert.rejects(RawConnection.open(`http://127.0.0.1:${port}`), { code: 'ECONNREFUSED' })
})
