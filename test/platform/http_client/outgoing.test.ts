import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test, type Test } from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import {
  openOutgoing,
  OutgoingFailure,
  type Outgoing,
  type OutgoingReason,
  type OutgoingRequest,
} from '../../../src/platform/http_client/index.ts'

const CONNECTIONS_PER_HOST = 8
const LIMITS = { timeoutMs: 5000, maxBytes: 1000 }

/** Starts a server on a free port; counts its requests. */
async function serve(t: Test, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const served = { port: 0, requests: 0 }
  const server = createServer((request, response) => {
    served.requests += 1
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  served.port = (server.address() as AddressInfo).port
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return served
}

function open(t: Test, allowPrivateAddresses: boolean): Outgoing {
  const outgoing = openOutgoing({ allowPrivateAddresses, publicUrl: 'https://social.example' })
  t.after(() => outgoing.close())
  return outgoing
}

const failsFor = (reason: OutgoingReason) => (error: unknown) =>
  error instanceof OutgoingFailure && error.reason === reason

test('a request sends its headers and body and returns the response', async t => {
  const served = await serve(t, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.writeHead(201, { 'X-Kind': 'test' })
      const { 'x-one': one, 'user-agent': agent } = request.headers
      response.end(JSON.stringify([request.method, one, agent, Buffer.concat(parts).toString()]))
    })
  })
  const outgoing = open(t, true)
  const answer = await outgoing.request(`http://127.0.0.1:${served.port}/`, {
    ...LIMITS,
    method: 'POST',
    headers: { 'X-One': '1' },
    body: 'hello',
  })
  assert.deepEqual([answer.status, answer.headers['x-kind'], answer.complete], [201, 'test', true])
  assert.equal(answer.body.toString(), `["POST","1","Millrace/${manifest.version} (+https://social.example)","hello"]`)
})

test('a redirect is returned and not followed', async t => {
  const served = await serve(t, (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end())
  const answer = await open(t, true).request(`http://127.0.0.1:${served.port}/`, LIMITS)
  assert.deepEqual([answer.status, answer.headers['location'], served.requests], [302, '/elsewhere', 1])
})

test('a response body is read only up to the limit', async t => {
  let closed: (() => void) | undefined
  const disconnected = new Promise<void>(resolve => (closed = resolve))
  const served = await serve(t, (_, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', write).on('close', () => closed?.())
    write()
  })
  const answer = await open(t, true).request(`http://127.0.0.1:${served.port}/`, LIMITS)
  assert.deepEqual([answer.body.length, answer.complete], [1000, false])
  await disconnected
})

test('a slow server causes a timeout', async t => {
  const silent = await serve(t, () => {})
  const halting = await serve(t, (_, response) => void response.writeHead(200).write('a'))
  const outgoing = open(t, true)
  for (const { port } of [silent, halting]) {
    const request = outgoing.request(`http://127.0.0.1:${port}/`, { ...LIMITS, timeoutMs: 100 })
    await assert.rejects(request, failsFor('timeout'))
  }
})

test('the abort signal of the caller ends a request with its own reason', async t => {
  const stop = new AbortController()
  const served = await serve(t, () => stop.abort(new Error('stopping')))
  const request = open(t, true).request(`http://127.0.0.1:${served.port}/`, { ...LIMITS, signal: stop.signal })
  await assert.rejects(request, { message: 'stopping' })
})

test('an unreachable host or an invalid response is a failure', async t => {
  const outgoing = open(t, true)
  const served = await serve(t, request => request.socket.end('nonsense\r\n\r\n'))
  await assert.rejects(outgoing.request(`http://127.0.0.1:${served.port}/`, LIMITS), failsFor('unreachable'))
  await assert.rejects(outgoing.request('http://name.invalid/', LIMITS), failsFor('unreachable'))
})

test('a request on a kept connection that the other side closes is sent once more if it may arrive twice', async t => {
  const used = new WeakSet<Socket>()
  const held: ServerResponse[] = []
  const { port } = await serve(t, ({ socket, url }, response) => {
    if (used.has(socket)) return void socket.destroy()
    used.add(socket)
    if (url === '/') response.end()
    else if (held.push(response) === CONNECTIONS_PER_HOST) for (const each of held.splice(0)) each.end()
  })
  const sendOnUsed = async (options: Partial<OutgoingRequest>) => {
    const outgoing = open(t, true)
    const send = (path: string) => outgoing.request(`http://127.0.0.1:${port}${path}`, { ...LIMITS, ...options })
    await Promise.all(Array.from({ length: CONNECTIONS_PER_HOST }, async () => send('/held')))
    return (await send('/')).status
  }
  assert.equal(await sendOnUsed({}), 200)
  assert.equal(await sendOnUsed({ method: 'POST', idempotent: true }), 200)
  await assert.rejects(sendOnUsed({ method: 'POST' }), failsFor('unreachable'))
})

test('private addresses are refused, as numbers or by name', async t => {
  const served = await serve(t, (_, response) => response.end())
  const outgoing = open(t, false)
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost']
  for (const host of hosts) {
    const request = outgoing.request(`http://${host}:${served.port}/`, LIMITS)
    await assert.rejects(request, failsFor('refused'), host)
  }
  assert.equal(served.requests, 0)
})

test('only http and https URLs without a password are requested', async t => {
  const outgoing = open(t, true)
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'http://a:b@127.0.0.1/', 'nothing']) {
    await assert.rejects(outgoing.request(url, LIMITS), failsFor('refused'), url)
  }
})

test('a trusted URL may have a private address, other URLs may not', async t => {
  const served = await serve(t, (_, response) => response.end('near'))
  const outgoing = open(t, false)
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `http://${host}:${served.port}/`
    await assert.rejects(outgoing.request(url, LIMITS), failsFor('refused'))
    assert.equal((await outgoing.request(url, { ...LIMITS, trusted: true })).body.toString(), 'near')
  }
  assert.equal(served.requests, 2)
})
