import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { startServer } from '../support/server.ts'
import { createCommandLine, runInto, runProcess, startProcess } from './command.ts'

test('a command runs as a process with output and exit status', async () => {
  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const version = await runProcess(['version'], nowhere)
  assert.deepEqual({ code: version.code, err: version.err }, { code: 0, err: '' })
  const wrong = await runProcess(['accounts', 'creat'], nowhere)
  assert.deepEqual({ code: wrong.code, out: wrong.out }, { code: 1, out: '' })
  assert.match(wrong.err, /^error: unknown command 'creat'\n\(Did you mean create\?\)\nUsage: millrace accounts /)
})

test('a backup of which not all is taken fails', async t => {
  const ctl = await createCommandLine(t)
  const environment = { DATABASE_URL: ctl.databaseUrl, DATA_DIR: ctl.folder }
  const { child, ended } = startProcess(['backup', '-'], environment)
  t.after(() => child.kill('SIGKILL'))
  child.stdout.destroy()
  assert.equal(await ended, 1)
  // A reader of text may have seen enough.
  const list = startProcess(['settings', 'list'], environment)
  t.after(() => list.child.kill('SIGKILL'))
  list.child.stdout.destroy()
  assert.equal(await list.ended, 0)
  for (const given of [
    ['backup', '-'],
    ['settings', 'list'],
  ]) {
    const { code, err } = await runInto('/dev/full', given, environment)
    assert.deepEqual([code, /ENOSPC|disk is full/i.test(err)], [1, true], `${given.join(' ')}: ${err}`)
  }
})

test('without a database the embedded one is created, used and stopped', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-ctl-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const get = () => runProcess(['settings', 'get', 'registrations_mode'], { DATA_DIR: folder })
  const first = await get()
  assert.deepEqual([first.code, first.out], [0, 'none\n'])
  const place = path.join(folder, 'postgres')
  assert.ok(first.err.startsWith(`Creating a new database in ${place}. If the server has another one, use `), first.err)
  const { code, out, err } = await get()
  assert.deepEqual({ code, out, err }, { code: 0, out: 'none\n', err: '' })
  assert.equal(existsSync(path.join(folder, 'postgres', 'postmaster.pid')), false)
})

test('events prints new events until Ctrl-C', async t => {
  const ctl = await createCommandLine(t)
  const { child, ended } = startProcess(['events', '--number', '1'], {
    DATABASE_URL: ctl.databaseUrl,
    DATA_DIR: ctl.folder,
  })
  t.after(() => child.kill('SIGKILL'))
  child.stdout.setEncoding('utf8')
  await ctl.ok('cache', 'clear')
  // The command may start after the first event, so events are written until one is printed.
  const printed = once(child.stdout, 'data').then(() => true)
  for (;;) if (await Promise.race([printed, ctl.ok('feeds', 'clear').then(() => false)])) break
  child.kill('SIGINT')
  assert.equal(await ended, 130)
})

test('a running server applies the changes of a command', async t => {
  const server = await startServer(t)
  const ctl = await createCommandLine(t, server.databaseUrl)
  const lookup = `${server.url}/api/v1/accounts/lookup?acct=ada`
  assert.equal((await fetch(lookup)).status, 404)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed', '--role', 'Owner')
  const found = (await (await fetch(lookup)).json()) as { username: string; roles: { name: string }[] }
  assert.equal(found.username, 'ada')
  assert.deepEqual(
    found.roles.map(role => role.name),
    ['Owner'],
  )
  await ctl.ok('accounts', 'delete', 'ada')
  // The event reaches the server a moment after the command ends.
  for (const until = Date.now() + 30_000; ;) {
    const body = (await (await fetch(lookup)).json()) as { suspended?: boolean; error?: string }
    if (body.suspended === true || body.error !== undefined) break
    assert.ok(Date.now() < until, 'the server still shows a deleted account')
  }
})
