import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { test, type Test } from 'tap'
import { Browser } from '../support/browser.ts'
import { Inbox } from '../support/inbox.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { person, type Person } from '../support/people.ts'
import { waitForAllEventLogs } from '../support/processes.ts'
import { sharedServer, startServer, type TestServer } from '../support/server.ts'
import { fakeTimers } from '../support/fake_timers.ts'

const PYTHON = '/usr/bin/python3'
const READER = fileURLToPath(new URL('mastodon_stream.py', import.meta.url))
const FLOWS = fileURLToPath(new URL('mastodon_flows.py', import.meta.url))

interface Received {
  readonly received: string
  readonly what: string | null
}

/**
 * Whether Mastodon.py is installed; otherwise the test is skipped with the name of the missing
 * package.
 */
function hasLibrary(t: Test): boolean {
  const tried = spawnSync(PYTHON, ['-c', 'import mastodon'], { encoding: 'utf8' })
  if (tried.status === 0) return true
  t.plan(0, `Mastodon.py is not installed for ${PYTHON} (Debian: python3-mastodon)`)
  return false
}

/** Reads a user's stream with Mastodon.py in a child process, until the test ends. */
async function listen(t: Test, reader: Person): Promise<Inbox<Received>> {
  const inbox = new Inbox<Received>(({ received, what }) => `${received} ${what ?? ''}`)
  await waitForAllEventLogs(reader.server.url)
  const child = spawn(PYTHON, [READER, reader.server.url, reader.token ?? ''], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', text => (errors += String(text)))
  createInterface(child.stdout).on('line', line => inbox.push(JSON.parse(line) as Received))
  child.once('close', () => inbox.fail(new Error(`Mastodon.py ended: ${errors}`)))
  t.after(async () => {
    child.kill()
    await ended
  })
  await inbox.take('the greeting', ({ received }) => received === 'heartbeat')
  return inbox
}

test('Mastodon.py receives each event for a minute, despite heartbeats and changed filters', async t => {
  if (!hasLibrary(t)) return
  fakeTimers(t).enable({ apis: ['setInterval'] })
  const server = await startServer(t)
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  await alice.follow(bob)
  const inbox = await listen(t, alice)
  const expect = async (received: string, what: string | null): Promise<void> => {
    const [last, ...before] = (
      await inbox.takeUntil(`${received} ${what}`, one => one.received === received && one.what === what)
    ).reverse()
    assert.deepEqual(last, { received, what })
    assert.deepEqual(
      before.filter(one => one.received !== 'heartbeat'),
      [],
    )
  }
  for (let quarter = 1; quarter <= 4; quarter += 1) {
    fakeTimers(t).tick(15_000)
    await inbox.take('a sign of life', ({ received }) => received === 'heartbeat')
    const status = await bob.postStatus(`quarter ${quarter}`)
    await expect('update', status.id)
    const filter = await alice.post('/api/v2/filters', {
      title: `filter ${quarter}`,
      context: ['home'],
      keywords_attributes: [{ keyword: `nothing${quarter}` }],
    })
    assert.equal(filter.status, 200, filter.text)
    await expect('filters_changed', null)
    await bob.put(`/api/v1/statuses/${status.id}`, { status: `quarter ${quarter}, edited` })
    await expect('status.update', status.id)
    const mention = await bob.postStatus(`@${alice.username} direct`, { visibility: 'direct' })
    await inbox.pick('the mention', one => one.received === 'update' && one.what === mention.id)
    await inbox.pick('its notification', one => one.received === 'notification' && one.what === 'mention')
    await bob.delete(`/api/v1/statuses/${status.id}`)
    await expect('delete', status.id)
  }
})

/** Signs in at the address that a client opens, consents, and returns the code that is shown. */
async function consent(server: TestServer, address: string, email: string): Promise<string> {
  const browser = new Browser(server)
  await browser.signIn(email, PASSWORD)
  const { pathname, search } = new URL(address)
  const { location } = await browser.submit(await browser.get(`${pathname}${search}`), '/oauth/authorize')
  return new URL(location, server.url).searchParams.get('code') ?? ''
}

/** What Mastodon.py's main flows lead to. */
const EXPECTED = {
  app: 'Mastodon.py test',
  following: true,
  home: true,
  tag: true,
  answer: true,
  context: true,
  acted: [true, true, true, 1],
  bookmarks: true,
  edited: true,
  versions: 2,
  notified: ['favourite', 'follow', 'mention', 'reblog'],
  cleared: [],
  media: [['image', 'water']],
  votes: [1, 1],
  scheduled: true,
  unscheduled: [],
  pages: [2, 2, 6],
  list: [true, 6],
  search: true,
  filters: true,
  named: 'Bob',
  conversation: [true, true],
  read: false,
  marker: true,
  muting: true,
  blocking: true,
  blocks: true,
  deleted: true,
}

test('people sign in with Mastodon.py, and go through its main flows', async t => {
  if (!hasLibrary(t)) return
  const server = await sharedServer()
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-mastodon-py-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'water.png')
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1d6f8a' } }).toFile(file)
  const child = spawn(PYTHON, ['-W', 'ignore', FLOWS, server.url, file], { stdio: 'pipe' })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', text => (errors += String(text)))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    assert.notEqual(done, true, `Mastodon.py ended: ${errors}`)
    return JSON.parse(String(value))
  }
  for (const name of ['alice', 'bob']) {
    const { email } = await personWithPassword(server, name)
    child.stdin.write(`${await consent(server, String(await next()), email)}\n`)
  }
  assert.deepEqual(await next(), { ...EXPECTED, uri: new URL(server.url).host })
})
