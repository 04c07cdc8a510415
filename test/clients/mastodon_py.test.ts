import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test, type Test } from 'tap'
import { Inbox } from '../support/inbox.ts'
import { person, type Person } from '../support/people.ts'
import { waitForAllEventLogs } from '../support/processes.ts'
import { startServer } from '../support/server.ts'
import { fakeTimers } from '../support/fake_timers.ts'

const PYTHON = '/usr/bin/python3'
const READER = fileURLToPath(new URL('mastodon_stream.py', import.meta.url))

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
