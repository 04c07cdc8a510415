import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import pg from 'pg'
import { test } from 'tap'
import { runHere, startProcess } from '../cli/command.ts'
import { becomes } from '../platform/settings/pair.ts'
import { localUri, PUBLIC, startPeer, type Delivery } from '../support/federation/peer.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import { startServer, type ServerAddress, type TestServer } from '../support/server.ts'
import { storeRemoteAccount, hasType } from './federation_fixtures.ts'

/** Whether a key has signed a delivery. */
function isSignedBy(publicKeyPem: string, { headers, path }: Delivery): boolean {
  const [, names = '', signature = ''] =
    /,headers="([^"]+)",signature="([^"]+)"$/.exec(String(headers['signature'])) ?? []
  const text = names
    .split(' ')
    .map(name => `${name}: ${name === '(request-target)' ? `post ${path}` : String(headers[name])}`)
    .join('\n')
  return verify('RSA-SHA256', Buffer.from(text), createPublicKey(publicKeyPem), Buffer.from(signature, 'base64'))
}

const environmentOf = (server: TestServer): Record<string, string> => ({
  DATABASE_URL: server.databaseUrl,
  DATA_DIR: server.config.dataDir,
  PUBLIC_URL: server.config.publicUrl,
  ALLOW_PRIVATE_ADDRESSES: 'on',
})

/** The public keys of people, which they get when their documents are read. */
async function keysOf(server: ServerAddress, ...owners: Person[]): Promise<unknown[]> {
  for (const { id } of owners) await fetch(localUri(server, id), { headers: { accept: 'application/activity+json' } })
  const rows = await sql(server, 'select public_key from signing_keys where account_id is not null order by account_id')
  assert.equal(rows.length, owners.length)
  return rows.map(row => row['public_key'])
}

test('new keys are sent in an Update that the old key signs, and sign later activities', async t => {
  const { alice, server } = await people(t, 'alice', 'quiet')
  const peer = await startPeer(t)
  const carol = await storeRemoteAccount(server, peer.actor('carol'))
  await sql(
    server,
    "insert into follows (account_id, target_account_id, uri) values ($1, $2, 'https://a.example/f/1')",
    [carol, alice.id],
  )
  const shownKey = async (): Promise<string> => {
    const response = await fetch(localUri(server, alice.id), { headers: { accept: 'application/activity+json' } })
    return ((await response.json()) as { publicKey: { publicKeyPem: string } }).publicKey.publicKeyPem
  }
  const environment = environmentOf(server)
  const rotate = (...given: string[]) => runHere(['accounts', 'rotate', ...given], environment)
  const post = async (): Promise<Delivery> => {
    await alice.post('/api/v1/statuses', { status: 'hello' })
    return peer.next(hasType('Create'))
  }

  const first = await shownKey()
  assert.ok(isSignedBy(first, await post()))
  const one = await rotate(alice.username)
  assert.deepEqual([one.code, one.out, one.err], [0, 'OK\n', ''])
  const update = await peer.next(hasType('Update'))
  assert.deepEqual(update.activity['to'], [PUBLIC])
  const object = update.activity['object'] as { publicKey: { publicKeyPem: string } }
  const second = object.publicKey.publicKeyPem
  assert.notEqual(second, first)
  assert.ok(isSignedBy(first, update), 'the old key signs the Update')
  await becomes(shownKey, second, 'the running server shows the new key')
  assert.ok(isSignedBy(second, await post()), 'the new key signs what follows')

  assert.equal((await rotate('--all')).out, 'OK, rotated keys for 1 accounts\n')
  const again = await peer.next(hasType('Update'))
  assert.ok(isSignedBy(second, again))
  assert.deepEqual(await sql(server, 'select count(*)::int as n from signing_keys where account_id is not null'), [
    { n: 1 },
  ])
  for (const [given, fault] of [
    [[], 'No account(s) given\n'],
    [['nobody'], 'No such account\n'],
  ] as const)
    assert.deepEqual(await rotate(...given), { code: 1, out: '', err: fault })
})

test('an interrupted rotation of all keys goes on where it was', async t => {
  const server = await startServer(t)
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const before = await keysOf(server, alice, bob)
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('begin')
  await holder.query('select from signing_keys where account_id = $1 for update', [bob.id])
  const { child, ended } = startProcess(['accounts', 'rotate', '--all'], environmentOf(server))
  t.after(() => child.kill('SIGKILL'))
  const waiting = `select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`
  while ((await holder.query(waiting)).rowCount === 0);
  child.kill('SIGKILL')
  await ended
  await holder.query('rollback')
  const between = await keysOf(server, alice, bob)
  assert.notEqual(between[0], before[0])
  assert.equal(between[1], before[1])

  const rotate = () => runHere(['accounts', 'rotate', '--all'], environmentOf(server))
  const { out, err } = await rotate()
  assert.match(
    out,
    /^Resumes the rotation of \S+ \S+ UTC, which has replaced 1 keys\nOK, rotated keys for 1 accounts\n$/,
    err,
  )
  const after = await keysOf(server, alice, bob)
  assert.equal(after[0], between[0])
  assert.notEqual(after[1], between[1])
  assert.equal((await rotate()).out, 'OK, rotated keys for 2 accounts\n')
  assert.ok((await keysOf(server, alice, bob)).every((key, index) => key !== after[index]))
})

test('the rotation of all keys begins again when it was interrupted days ago', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const before = await keysOf(server, alice)
  await sql(
    server,
    `insert into staff_tasks (kind, done_count, created_at) values ('rotate_keys', 1, now() - interval '49 hours')`,
  )
  const { out } = await runHere(['accounts', 'rotate', '--all'], environmentOf(server))
  assert.equal(out, 'OK, rotated keys for 1 accounts\n')
  assert.notDeepEqual(await keysOf(server, alice), before)
  assert.deepEqual(await sql(server, 'select failed, finished_at is null as runs from staff_tasks order by id'), [
    { failed: true, runs: false },
    { failed: false, runs: false },
  ])
})
