import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type Test } from 'tap'
import { openEvents } from '../support/events.ts'
import { person } from '../support/people.ts'
import { freePort } from '../support/port.ts'
import { startServer } from '../support/server.ts'
import { openSocket } from '../support/socket.ts'
import { fakeTimers } from '../support/fake_timers.ts'

/**
 * The proxies cut connections that are silent for this long, which is longer than the interval of
 * heartbeats, by the real clock.
 */
const SILENT_SECONDS = 40

interface Proxy {
  readonly program: string
  readonly file: string
  options(config: string): string[]
  configure(port: number, upstream: number, folder: string): string
}

/** Typical configurations without regard to streams: the proxies buffer and compress. */
const NGINX: Proxy = {
  program: '/usr/sbin/nginx',
  file: 'nginx.conf',
  options: config => ['-c', config, '-e', 'stderr'],
  configure: (port, upstream, folder) => `
    daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
    events {}
    http {
      access_log off; gzip on; gzip_types text/plain application/json; gzip_proxied any; gzip_min_length 1;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      map $http_upgrade $connection_upgrade { default upgrade; '' close; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://127.0.0.1:${upstream}; proxy_http_version 1.1; proxy_read_timeout ${SILENT_SECONDS}s;
          proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
        }
      }
    }`,
}

const HAPROXY: Proxy = {
  program: '/usr/sbin/haproxy',
  file: 'haproxy.cfg',
  options: config => ['-f', config],
  configure: (port, upstream) => `
defaults
  mode http
  timeout connect 5s
  timeout client ${SILENT_SECONDS}s
  timeout server ${SILENT_SECONDS}s
  timeout tunnel ${SILENT_SECONDS}s
frontend near
  bind 127.0.0.1:${port}
  default_backend far
backend far
  compression algo gzip
  compression type text/plain application/json
  server far 127.0.0.1:${upstream}
`,
}

/** Resolves when a server listens on the port. */
async function listening(port: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const socket = connect(port, '127.0.0.1')
    const there = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (there) return
  }
  throw new Error('the proxy ended before it listened')
}

/**
 * Starts the proxy in front of a server; when it is not installed, skips the test and returns
 * undefined.
 */
async function startProxy(t: Test, proxy: Proxy, server: string): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-proxy-'))
  const port = await freePort()
  const config = path.join(folder, proxy.file)
  await writeFile(config, proxy.configure(port, Number(new URL(server).port), folder))
  const child = spawn(proxy.program, proxy.options(config), { stdio: 'ignore' })
  const ended = new AbortController()
  const gone = new Promise<void>(resolve => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  }).then(() => ended.abort())
  t.after(async () => {
    child.kill()
    await gone
    await rm(folder, { recursive: true, force: true })
  })
  const isInstalled = await Promise.race([
    once(child, 'spawn').then(
      () => true,
      () => false,
    ),
    gone.then(() => false),
  ])
  if (!isInstalled) {
    t.plan(0, `${proxy.program} is not installed`)
    return undefined
  }
  await listening(port, ended.signal)
  return `http://127.0.0.1:${port}`
}

for (const proxy of [NGINX, HAPROXY]) {
  test(`${path.basename(proxy.program)} forwards stream messages and heartbeats as they are sent`, async t => {
    fakeTimers(t).enable({ apis: ['setInterval'] })
    const server = await startServer(t)
    const url = await startProxy(t, proxy, server.url)
    if (url === undefined) return
    const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
    await alice.follow(bob)
    const through = { ...server, url }
    const events = await openEvents(through, alice.token, 'user', { 'accept-encoding': 'gzip' })
    t.after(() => events.close())
    assert.equal(events.headers['content-encoding'], undefined)
    assert.equal(events.headers['cache-control'], 'private, no-store')
    const socket = await openSocket(through, alice.token, 'user')
    t.after(() => socket.close())
    const pinged = once(socket.socket, 'ping')
    await events.until(() => events.textWithoutComments === ':)\n', 'greeting')
    fakeTimers(t).tick(30_000)
    await events.until(() => events.text.includes(':thump\n'), 'thump')
    await pinged
    const { id } = await bob.postStatus('through a proxy')
    await events.next('update')
    await socket.next('update', ({ payload }) => (payload as { id: string }).id === id)
  })
}
