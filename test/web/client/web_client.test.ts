import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type Test } from 'tap'
import { readConfig } from '../../../src/core/config.ts'
import { start } from '../../../src/app/server.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const SCRIPT = "document.title = 'started'"
const START = `<!doctype html><html><head><script>${SCRIPT}</script><script type="module" src="/assets/index-BxK2l9aQ.js"></script></head><body><div id="app"></div></body></html>`

async function clientFolder(t: Test): Promise<string> {
  const parent = await mkdtemp(path.join(tmpdir(), 'millrace-client-'))
  t.after(() => rm(parent, { recursive: true, force: true }))
  const folder = path.join(parent, 'client')
  await mkdir(path.join(folder, 'assets'), { recursive: true })
  await mkdir(path.join(folder, 'help'))
  await writeFile(path.join(parent, 'outside.txt'), 'outside')
  await writeFile(path.join(folder, 'index.html'), START)
  await writeFile(path.join(folder, 'sw.js'), 'self.skipWaiting()')
  await writeFile(path.join(folder, 'icon-1024x1024.png'), 'png')
  await writeFile(path.join(folder, 'assets/index-BxK2l9aQ.js'), `console.log(${JSON.stringify('x'.repeat(5000))})`)
  await writeFile(path.join(folder, 'help/index.html'), '<p>help</p>')
  await writeFile(path.join(folder, '.env'), 'secret')
  await symlink(path.join(parent, 'outside.txt'), path.join(folder, 'link.txt'))
  return folder
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | null
}

const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function get({ url }: TestServer, address: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${url}${address}`, { headers, redirect: 'manual' })
  return { status: response.status, text: await response.text(), header: name => response.headers.get(name) }
}

test('a web client in a folder is served at /, and its pages at their addresses', async t => {
  const server = await startServer(t, { env: { WEB_CLIENT: await clientFolder(t) } })
  for (const address of ['/', '/home', '/deck/lists/3', '/some_page', '/some/page']) {
    const page = await get(server, address, PAGE)
    assert.deepEqual([page.status, page.text], [200, START], address)
    assert.equal(page.header('cache-control'), 'public, max-age=0, must-revalidate')
    const policy = page.header('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval' 'sha256-[\w+/]{43}='; /)
    assert.match(policy, /frame-ancestors 'none'/)
  }
  const again = await get(server, '/some_page', {
    ...PAGE,
    'if-none-match': (await get(server, '/some_page', PAGE)).header('etag') ?? '',
  })
  assert.equal(again.status, 304)
  assert.equal((await get(server, '/help', PAGE)).text, '<p>help</p>')
  assert.equal((await get(server, '/help/', PAGE)).text, '<p>help</p>')
})

test('files of a web client are cached for long only when their names have a hash', async t => {
  const server = await startServer(t, { env: { WEB_CLIENT: await clientFolder(t) } })
  const hashed = await get(server, '/assets/index-BxK2l9aQ.js')
  assert.deepEqual(
    [hashed.status, hashed.header('content-type'), hashed.header('cache-control')],
    [200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  )
  assert.ok(['br', 'gzip', 'zstd', 'deflate'].includes(hashed.header('content-encoding') ?? ''))
  const worker = await get(server, '/sw.js')
  assert.deepEqual(
    [worker.text, worker.header('cache-control')],
    ['self.skipWaiting()', 'public, max-age=0, must-revalidate'],
  )
  const icon = await get(server, '/icon-1024x1024.png')
  assert.deepEqual(
    [icon.header('content-type'), icon.header('cache-control')],
    ['image/png', 'public, max-age=0, must-revalidate'],
  )
  const head = await fetch(`${server.url}/sw.js`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('a web client takes no address of the server, and no file outside of its folder is served', async t => {
  const server = await startServer(t, { env: { WEB_CLIENT: await clientFolder(t) } })
  assert.equal((await get(server, '/api/v2/instance')).header('content-type'), 'application/json; charset=utf-8')
  for (const address of [
    '/api/v1/unknown',
    '/oauth/unknown',
    '/auth/unknown',
    '/admin/unknown',
    '/.well-known/unknown',
  ])
    assert.equal((await get(server, address, PAGE)).status, 404, address)
  assert.match((await get(server, '/auth/sign_in', PAGE)).text, /user\[password\]/)
  assert.equal((await get(server, '/@nobody_here', PAGE)).status, 404)
  for (const address of [
    '/.env',
    '/link.txt',
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
  ])
    assert.equal((await get(server, address)).status, 404, address)
  for (const address of ['/a%00b', '/%zz']) assert.equal((await get(server, address)).status, 400, address)
  assert.equal((await get(server, '/assets/missing-BxK2l9aQ.js', PAGE)).status, 404)
  assert.equal((await fetch(`${server.url}/some_page`, { method: 'POST', headers: PAGE })).status, 404)
})

test('a folder without a start page is refused before the server starts', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await assert.rejects(start(readConfig({ WEB_CLIENT: folder, DATA_DIR: folder, LOG_LEVEL: 'silent' })), {
    name: 'InvalidConfig',
    message: `WEB_CLIENT must be a folder with an index.html, not "${folder}"`,
  })
})
