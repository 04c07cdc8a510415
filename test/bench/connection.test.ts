import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'tap'
import { createConnection, writeRequest } from '../../bench/load/connection.ts'

test('whole and chunked responses are read, and a closed connection is reopened', async t => {
  const body = JSON.stringify({ text: 'x'.repeat(200_000) })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/whole') return response.setHeader('Content-Length', body.length).end(body)
    if (pathname === '/gone') return request.socket.destroy()
    if (pathname === '/last') response.setHeader('Connection', 'close')
    if (pathname === '/wrong') response.statusCode = 422
    for (let at = 0; at < body.length; at += 7001) response.write(body.slice(at, at + 7001))
    return response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  const connection = createConnection(url)
  const ask = (path: string) => connection.send(writeRequest(url, { method: 'GET', path }), { keepBody: true })
  for (const path of ['/whole', '/chunks', '/whole', '/last', '/chunks', '/wrong']) {
    const { status, body: received } = await ask(path)
    assert.equal(status, path === '/wrong' ? 422 : 200)
    assert.ok(path === '/whole' ? received === body : received.length > body.length, path)
  }
  await assert.rejects(ask('/gone'))
  assert.equal((await ask('/whole')).status, 200)
  connection.close()
})
