import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { chooseTemporaryFolder } from '../support/cluster.ts'
import { embeddedUrl, ownInstallation } from '../support/installation.ts'
import { makeNetworkNamespace, openConnections } from '../support/network_namespace.ts'
import { person } from '../support/people.ts'
import { freePort } from '../support/port.ts'
import { startProgram } from '../support/program.ts'

/*
 * Clients that vanish without a word, as when a telephone loses its network: here the server runs
 * in a network of its own, whose cable to the clients is unplugged. The kernel gives up after two
 * or three seconds there, instead of a quarter of an hour.
 */

/** A ping each half minute, of which the second finds that the first was not answered. */
const LONGEST_MS = 75_000

const head = (first: string, token: string | undefined, ...more: string[]): string =>
  [`${first} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token ?? 'nobody'}`, ...more, '', ''].join('\r\n')

test('clients that vanish leave nothing behind', { timeout: 200_000 }, async t => {
  const network = makeNetworkNamespace(t)
  if (!network) return t.plan(0, 'this system makes no network namespaces')
  const dataDir = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-vanished-'))
  t.after(async () => {
    await stopAbandoned(dataDir, () => {})
    rmSync(dataDir, { recursive: true, force: true })
  })
  const port = await freePort()
  const env = { DATA_DIR: dataDir, PORT: String(port), BIND: '0.0.0.0', METRICS_FROM: '0.0.0.0/0', DATABASE_POOL: '4' }
  const program = await startProgram(t, env, network.inside(ownInstallation.server))
  await program.logged('listening')
  const server = { url: `http://${network.control.server}:${port}`, databaseUrl: embeddedUrl(dataDir) }
  const alice = await person(server, 'alice')

  const sockets: Socket[] = []
  t.after(() => sockets.forEach(socket => socket.destroy()))
  const send = async (...parts: string[]): Promise<Socket> => {
    const socket = connect({ host: network.clients.server, port })
    sockets.push(socket)
    await once(socket, 'connect')
    for (const part of parts) socket.write(part)
    return socket
  }
  const answered = async (socket: Socket, expected: RegExp): Promise<void> => {
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    assert.match(String(bytes), expected)
  }
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const form = ['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 4000000']
  const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nnot all of it'
  // Idle after a response; in the middle of the head, of a small and of a large body; streams.
  await answered(await send(head('GET /api/v2/instance', alice.token)), /^HTTP\/1.1 200/)
  await send('GET /api/v2/inst')
  await send(head('POST /api/v1/statuses', alice.token, 'Content-Length: 1000'), 'status=never')
  await send(head('POST /api/v2/media', alice.token, ...form), file)
  await answered(await send(head('GET /api/v1/streaming?stream=user', alice.token, ...upgrade, key)), /^HTTP\/1.1 101/)
  await answered(await send(head('GET /api/v1/streaming/user', alice.token)), /^HTTP\/1.1 200/)
  const streams = async (): Promise<string[]> =>
    (await alice.get('/metrics')).text.match(/^millrace_streams\{transport="\w+"\} [1-9]\d*$/gm)?.toSorted() ?? []
  assert.equal(openConnections(program.pid, network.clients.client), 6)
  assert.deepEqual(await streams(), [
    'millrace_streams{transport="sse"} 1',
    'millrace_streams{transport="websocket"} 1',
  ])

  network.unplug()
  const began = performance.now()
  const gone: number[] = []
  for (let left = 6; left > 0 || (await streams()).length > 0; await delay(100)) {
    const now = openConnections(program.pid, network.clients.client)
    for (; left > now; left -= 1) gone.push(Math.round((performance.now() - began) / 1000))
    assert.ok(performance.now() - began < LONGEST_MS, `${now} connections are still open; ended after ${gone.join()} s`)
  }
  t.comment(`connections ended after ${gone.join(', ')} s`)
  assert.deepEqual((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json, [])
  await alice.postStatus('afterwards')
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
})
