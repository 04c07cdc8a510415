import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type Test } from 'tap'
import { WebSocket } from 'ws'
import { BODY_LIMIT_BYTES } from '../../../src/media/attachments/upload.ts'
import { createCommandLine } from '../../cli/command.ts'
import { freePort } from '../../support/port.ts'
import { person } from '../../support/people.ts'
import { RawConnection } from '../../support/raw_http.ts'
import {
  findProgram,
  readDocumentedConfig,
  replaceOnce,
  startCaddy,
  startHaproxy,
  startNginx,
  type ReverseProxy,
} from '../../support/reverse_proxy.ts'
import { startServer, type TestServer } from '../../support/server.ts'

/** An address of this machine that is not a proxy. */
const CLIENT = '127.0.0.2'
const PROXY = '127.0.0.1'

/** A server that trusts only the proxy on this machine. */
const startBehind = (t: Test, env: Record<string, string> = {}): Promise<TestServer> =>
  startServer(t, { env: { TRUSTED_PROXIES: PROXY, METRICS_FROM: PROXY, ...env } })

/**
 * The status of a GET through the proxy, with an X-Forwarded-For header from the client for each
 * value.
 */
async function ask(proxy: ReverseProxy, path: string, forwardedFor: readonly string[] = []): Promise<number> {
  const connection = await RawConnection.open(proxy.url, CLIENT)
  const own = forwardedFor.map(value => `X-Forwarded-For: ${value}`)
  const { status } = await connection.request(`GET ${path} HTTP/1.1`, ['Host: example.com', ...own])
  connection.close()
  return status
}

/** Checks that hold behind every proxy with the documented configuration. */
async function assertServes(t: Test, server: TestServer, proxy: ReverseProxy): Promise<void> {
  assert.equal(await ask(proxy, '/health'), 200)
  // The client's address is its own, whatever it sends.
  for (const claimed of [[], [PROXY], [PROXY, PROXY], [`192.0.2.1, ${PROXY}`, ''], ['', PROXY]]) {
    assert.equal(await ask(proxy, '/metrics', claimed), 404, claimed.join(' | '))
  }
  const { token = '' } = await person(server, 'alice')
  const socket = new WebSocket(`${proxy.url}/api/v1/streaming?stream=public`.replace(/^http/, 'ws'), {
    rejectUnauthorized: false,
    localAddress: CLIENT,
    headers: { authorization: `Bearer ${token}` },
  })
  t.after(() => socket.terminate())
  await once(socket, 'open')
  const ctl = await createCommandLine(t, server.databaseUrl)
  await ctl.ok('ip_blocks', 'add', CLIENT, '--severity', 'no_access')
  // The server learns of it through the log: repeat until it has.
  for (let tries = 0; tries < 500 && (await ask(proxy, '/health')) !== 403; tries += 1);
  for (const claimed of [[], ['192.0.2.1'], ['192.0.2.1', '192.0.2.2'], ['', '192.0.2.1']]) {
    assert.equal(await ask(proxy, '/api/v1/instance', claimed), 403, claimed.join(' | '))
  }
}

const nginx = findProgram('nginx')
const haproxy = findProgram('haproxy')
const caddy = findProgram('caddy')
const openssl = findProgram('openssl')

test('behind nginx, as documented, client addresses are right and WebSockets open', async t => {
  if (nginx === undefined) return t.plan(0, 'nginx is not installed')
  if (openssl === undefined) return t.plan(0, 'openssl is not installed, which makes the certificate')
  const server = await startBehind(t)
  await assertServes(t, server, await startNginx(t, nginx, { to: server.config.port }))
})

test('behind HAProxy, as documented, client addresses are right, WebSockets open, and health checks pass', async t => {
  if (haproxy === undefined) return t.plan(0, 'HAProxy is not installed')
  if (openssl === undefined) return t.plan(0, 'openssl is not installed, which makes the certificate')
  const server = await startBehind(t)
  const proxy = await startHaproxy(t, haproxy, { to: server.config.port })
  assert.match(await proxy.logged(/Health check for server/), /succeeded.*code: 200/)
  await assertServes(t, server, proxy)
})

test('behind Caddy, as documented, client addresses are right, WebSockets open, and health checks pass', async t => {
  if (caddy === undefined) return t.plan(0, 'Caddy is not installed')
  if (openssl === undefined) return t.plan(0, 'openssl is not installed, which makes the certificate')
  const server = await startBehind(t)
  await assertServes(t, server, await startCaddy(t, caddy, { to: server.config.port }))
})

test('a health check of HAProxy over HTTP/1.0 passes at the health port', async t => {
  if (haproxy === undefined) return t.plan(0, 'HAProxy is not installed')
  if (openssl === undefined) return t.plan(0, 'openssl is not installed, which makes the certificate')
  const port = await freePort()
  const server = await startBehind(t, { HEALTH_PORT: String(port) })
  const change = (text: string): string => {
    const old = replaceOnce(text, 'option httpchk\n', 'option httpchk GET /health\n').replace(
      /^ *http-check send.*\n/m,
      '',
    )
    return replaceOnce(old, ' check\n', ` check port ${port}\n`)
  }
  const proxy = await startHaproxy(t, haproxy, { to: server.config.port, change })
  assert.match(await proxy.logged(/Health check for server/), /succeeded.*code: 200/)
  assert.equal(await ask(proxy, '/health'), 200)
})

const UNITS: Readonly<Record<string, number>> = { m: 1024 ** 2, MiB: 1024 ** 2, MB: 1000 ** 2 }

test('the documented proxies pass on the largest upload that the server accepts', async () => {
  for (const [language, setting] of [
    ['nginx', /client_max_body_size (\d+)(\w+);/],
    ['caddyfile', /max_size (\d+)(\w+)/],
  ] as const) {
    const [, size = '', unit = ''] = setting.exec(await readDocumentedConfig(language)) ?? []
    const bytes = Number(size) * (UNITS[unit] ?? 0)
    assert.ok(bytes >= BODY_LIMIT_BYTES, `${language}: ${size}${unit} of ${BODY_LIMIT_BYTES}`)
  }
})
