import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const FROM = { 'x-forwarded-for': '203.0.113.9' }

/** The lines of requests for a path, without what differs from run to run. */
const linesOf = (server: TestServer, path: string): object[] =>
  server.log
    .filter(({ msg, url }) => msg === 'request' && String(url).startsWith(path))
    .map(({ method, url, status, address, account }) => ({ method, url, status, address, account }))

async function askAll(server: TestServer): Promise<string> {
  const alice = await person(server, 'alice')
  const stranger = new Client(server)
  await alice.get('/api/v1/preferences', {}, FROM)
  // The second is answered from memory.
  for (let times = 0; times < 2; times += 1) await stranger.get('/api/v2/instance', { code: 'secret' }, FROM)
  const socket = await alice.stream('user')
  const events = await alice.events('user')
  events.close()
  await alice.close()
  await socket.closed
  return alice.id
}

test('lines of requests name no client, unless LOG_CLIENTS is on', async t => {
  const server = await startServer(t)
  await askAll(server)
  const lines = linesOf(server, '/')
  assert.ok(lines.length > 0)
  for (const line of lines) assert.deepEqual({ ...line, address: undefined, account: undefined }, line)
})

test('with LOG_CLIENTS lines of requests name address and account, also of answers from memory and of streams', async t => {
  const server = await startServer(t, {
    env: { LOG_CLIENTS: 'on' },
    oneProcess: 'the second request is answered from the memory of the first',
  })
  const account = await askAll(server)
  const address = '203.0.113.9'
  assert.deepEqual(linesOf(server, '/api/v1/preferences'), [
    { method: 'GET', url: '/api/v1/preferences', status: 200, address, account },
  ])
  const url = '/api/v2/instance?code=[redacted]'
  const instance = { method: 'GET', url, status: 200, address, account: undefined }
  assert.deepEqual(linesOf(server, '/api/v2/instance'), [instance, instance])
  const [socket] = linesOf(server, '/api/v1/streaming?') as { address?: string; account?: string }[]
  assert.deepEqual([socket?.address, socket?.account], ['127.0.0.1', account])
})
