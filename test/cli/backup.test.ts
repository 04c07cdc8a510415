import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { test, type Test } from 'tap'
import { readConfig } from '../../src/core/config.ts'
import { headerOf, paddingOf } from '../../src/platform/backup/archive.ts'
import { restore, writeBackup } from '../../src/platform/backup/index.ts'
import { makeKey, openStorage } from '../../src/platform/storage/index.ts'
import { until } from '../media/attachments/media_fixtures.ts'
import { openTestBucket } from '../support/bucket.ts'
import { createTestDatabase, execute } from '../support/database.ts'
import { people, sql, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { runHere, type Ran } from './command.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function folderFor(t: Test): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-backup-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const ctl = (databaseUrl: string, dataDir: string, ...given: string[]): Promise<Ran> =>
  runHere(given, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir })

async function rowsOf(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace::regnamespace::text in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
         and c.relpersistence = 'p' and c.relname not in ('migrations', 'events', 'functions', '_private_migrations')
       order by 1`,
    )
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(r::text), '' order by md5(r::text))), '') as sum from ${name} r`,
      )
      found[name] = rows[0]?.sum ?? ''
    }
    return found
  } finally {
    await client.end()
  }
}

interface World {
  readonly server: TestServer
  readonly alice: Person
  readonly picture: string
  readonly status: string
}

async function makeWorld(t: Test): Promise<World> {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const form = new FormData()
  form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png')
  form.set('description', 'a tab\tand\\a backslash')
  const uploaded = await fetch(`${server.url}/api/v2/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}` },
    body: form,
  })
  const { id, url } = (await uploaded.json()) as { id: string; url: string }
  const { id: status } = await alice.postStatus('with\nlines and \\N', { media_ids: [id] })
  await bob.post(`/api/v1/statuses/${status}/favourite`)
  return { server, alice, status, picture: new URL(url).pathname }
}

test('a backup of a running server is restored into another database, and its server answers', async t => {
  const { server, alice, picture, status } = await makeWorld(t)
  const [folder, dataDir] = [await folderFor(t), await folderFor(t)]
  const file = path.join(folder, 'backup.tar.gz')
  let expected: Record<string, string> = {}
  // Until no background work changed a row meanwhile.
  for (let before = await rowsOf(server.databaseUrl); ; before = expected) {
    const saved = await ctl(server.databaseUrl, server.config.dataDir, 'backup', file)
    assert.equal(saved.code, 0, saved.err)
    assert.match(saved.err, /^OK, \d+ rows and \d+ files/)
    expected = await rowsOf(server.databaseUrl)
    if (isDeepStrictEqual(before, expected)) break
  }
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), ['backup.tar.gz'])

  const target = await createTestDatabase()
  t.after(() => target.drop())
  const restored = await ctl(target.url, dataDir, 'restore', file)
  assert.equal(restored.code, 0, restored.err)
  assert.deepEqual(await rowsOf(target.url), expected)

  const again = await startServer(t, { databaseUrl: target.url, env: { DATA_DIR: dataDir } })
  const headers = { authorization: `Bearer ${alice.token}` }
  const shown = await fetch(`${again.url}/api/v1/statuses/${status}`, { headers })
  assert.equal(((await shown.json()) as { favourites_count: number }).favourites_count, 1)
  const media = await fetch(`${again.url}${picture}`)
  assert.deepEqual([media.status, media.headers.get('content-type')], [200, 'image/png'])
  const posted = await fetch(`${again.url}/api/v1/statuses`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'after the restore' }),
  })
  assert.equal(posted.status, 200)
})

test('the files of a bucket are in a backup with --bucket, and are restored into a bucket or a folder', async t => {
  const [from, to] = [await openTestBucket(t), await openTestBucket(t)]
  const database = await createTestDatabase(t)
  const [key, folder, dataDir] = [makeKey('media_attachments', 'png'), await folderFor(t), await folderFor(t)]
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder, ...from.env }
  await openStorage(readConfig(environment)).put(key, PIXEL, 'image/png')
  const [without, whole] = [path.join(folder, 'without.tar.gz'), path.join(folder, 'whole.tar.gz')]
  const warned = await runHere(['backup', without], environment)
  assert.match(warned.err, /and 0 files[^]*The files in the bucket media are not part of the backup/)
  const saved = await runHere(['backup', whole, '--bucket'], environment)
  assert.equal(saved.code, 0, saved.err)
  assert.match(saved.err, /^OK, \d+ rows and [12] files?, [^\n]*\n$/)

  const restored = await createTestDatabase(t)
  const intoBucket = await runHere(['restore', whole], { DATABASE_URL: restored.url, DATA_DIR: dataDir, ...to.env })
  assert.equal(intoBucket.code, 0, intoBucket.err)
  const response = await fetch(`${to.url}/${key}`)
  assert.equal(response.headers.get('content-type'), 'image/png')
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), PIXEL)
  assert.deepEqual(await readdir(dataDir), [])

  const again = await createTestDatabase(t)
  assert.equal((await ctl(again.url, dataDir, 'restore', whole)).code, 0)
  assert.deepEqual(await readFile(path.join(dataDir, 'media', key)), PIXEL)
})

test('a withheld file is restored into a bucket under its key, and a file of others is skipped', async t => {
  const to = await openTestBucket(t)
  const database = await createTestDatabase(t)
  const [key, dataDir] = [makeKey('media_attachments', 'png'), await folderFor(t)]
  const environment = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  const storage = openStorage(readConfig(environment))
  await storage.put(key, PIXEL, 'image/png')
  await storage.withhold(key, true)
  await writeFile(path.join(dataDir, 'media', 'notes.txt'), 'of the operator')
  const file = path.join(dataDir, 'backup.tar.gz')
  assert.equal((await runHere(['backup', file], environment)).code, 0)
  const target = await createTestDatabase(t)
  const restored = await runHere(['restore', file], {
    DATABASE_URL: target.url,
    DATA_DIR: await folderFor(t),
    ...to.env,
  })
  assert.equal(restored.code, 0, restored.err)
  assert.match(restored.err, /^Skipped \d files? that the server has not stored\n$/)
  assert.match(restored.out, / and [12] files?\n$/)
  assert.deepEqual(Buffer.from(await (await fetch(`${to.url}/${key}`)).arrayBuffer()), PIXEL)
})

test('a backup whose reader is slow takes as long as it needs, whatever the database allows a statement', async t => {
  const database = await createTestDatabase(t)
  const name = new URL(database.url).pathname.slice(1)
  await execute(
    database.url,
    `insert into settings (key, value) select n::text, to_jsonb(repeat(md5(n::text), 7)) from generate_series(1, 60000) n`,
  )
  await execute(database.url, `alter database ${name} set statement_timeout = '1s'`)
  let receivedBytes = 0
  const reader = new Writable({
    write(chunk: Buffer, _, done) {
      const isHalf = receivedBytes < 1_000_000 && receivedBytes + chunk.length >= 1_000_000
      receivedBytes += chunk.length
      if (isHalf) setTimeout(done, 2000)
      else done()
    },
  })
  const written = await writeBackup(reader, {
    connection: { connectionString: database.url },
    version: '0.0.1',
    dataDir: undefined,
  })
  assert.ok(written.rows >= 60_000)
  assert.ok(receivedBytes > 1_000_000)
})

test('a backup is not restored over accounts', async t => {
  const { server } = await makeWorld(t)
  const folder = await folderFor(t)
  const file = path.join(folder, 'backup.tar.gz')
  assert.equal((await ctl(server.databaseUrl, server.config.dataDir, 'backup', file)).code, 0)
  // No server writes to this database meanwhile.
  const target = await createTestDatabase(t)
  assert.equal((await ctl(target.url, folder, 'restore', file)).code, 0)
  const before = await rowsOf(target.url)
  const refused = await ctl(target.url, folder, 'restore', file)
  assert.deepEqual([refused.code, refused.err], [1, 'The database holds accounts: restore into an empty one\n'])
  assert.deepEqual(await rowsOf(target.url), before)
})

test('a damaged backup, a truncated one and one of a newer release leave the database empty', async t => {
  const { server } = await makeWorld(t)
  const folder = await folderFor(t)
  const file = path.join(folder, 'backup.tar.gz')
  assert.equal((await ctl(server.databaseUrl, server.config.dataDir, 'backup', file)).code, 0)
  const target = await createTestDatabase()
  t.after(() => target.drop())
  const tar = gunzipSync(await readFile(file))
  const variants: Record<string, Buffer> = {
    'no archive': Buffer.from('hello'),
    'without its end': gzipSync(tar.subarray(0, tar.length - 4096)),
    'of a newer release': gzipSync(
      Buffer.from(tar.toString('latin1').replace('0001_foundation', '9001_foundation'), 'latin1'),
    ),
  }
  for (const [name, bytes] of Object.entries(variants)) {
    await writeFile(file, bytes)
    const { code, err } = await ctl(target.url, folder, 'restore', file)
    assert.equal(code, 1, name)
    assert.match(err, /damaged|not whole|does not have the migrations/, name)
  }
  await writeFile(file, gzipSync(tar))
  await truncate(file, 5000)
  assert.match((await ctl(target.url, folder, 'restore', file)).err, /damaged/)
  const empty = await rowsOf(target.url)
  assert.match(empty['accounts'] ?? '0 ', /^0 /)
  assert.match((await ctl(target.url, folder, 'restore', path.join(folder, 'none'))).err, /cannot be read/)
})

/** Backs up a server that nobody has used. */
async function backUpEmpty(t: Test): Promise<{ url: string; folder: string; file: string }> {
  const { url } = await createTestDatabase(t)
  const folder = await folderFor(t)
  const file = path.join(folder, 'backup.tar.gz')
  assert.equal((await ctl(url, folder, 'backup', file)).code, 0)
  return { url, folder, file }
}

/** The length of the first file of a tar, with its header. */
const firstFileLength = (tar: Buffer): number =>
  512 + Math.ceil(Number.parseInt(tar.toString('latin1', 124, 136), 8) / 512) * 512

test('a restore may wait for files as long as it needs', async t => {
  const { folder, file } = await backUpEmpty(t)
  const tar = gunzipSync(await readFile(file))
  const target = await createTestDatabase(t)
  const observer = new pg.Client({ connectionString: target.url })
  await observer.connect()
  t.after(() => observer.end())
  await observer.query(`do $$ begin
    execute format('alter database %I set idle_in_transaction_session_timeout = %L', current_database(), '3s');
  end $$`)
  const idle = `select state_change < now() - interval '4 seconds' as long from pg_stat_activity
    where application_name = 'millrace restore' and datname = current_database() and state = 'idle in transaction'`
  async function* slowly(): AsyncGenerator<Buffer> {
    const length = firstFileLength(tar)
    yield gzipSync(tar.subarray(0, length))
    const find = async () => (await observer.query<{ long: boolean }>(idle)).rows
    await until(find, rows => rows.length > 0, 'the transaction')
    await until(find, rows => rows.every(({ long }) => long), 'the end of the wait')
    yield gzipSync(tar.subarray(length))
  }
  const restored = await restore(Readable.from(slowly()), {
    connection: { connectionString: target.url },
    dataDir: folder,
  })
  assert.ok(restored.rows > 0)
})

test('a file that was withheld during the backup is restored as withheld only', async t => {
  const { folder, file } = await backUpEmpty(t)
  const tar = gunzipSync(await readFile(file))
  const key = makeKey('media', 'png')
  const entry = (name: string): Buffer =>
    Buffer.concat([headerOf(`media/${name}`, PIXEL.length, new Date()), PIXEL, paddingOf(PIXEL.length)])
  const length = firstFileLength(tar)
  const both = [entry(key), entry(`${key}.withheld`)]
  const archive = gzipSync(Buffer.concat([tar.subarray(0, length), ...both, tar.subarray(length)]))
  const target = await createTestDatabase(t)
  await restore(Readable.from([archive]), { connection: { connectionString: target.url }, dataDir: folder })
  const place = path.join(folder, 'media', key)
  assert.deepEqual([existsSync(place), existsSync(`${place}.withheld`)], [false, true])
})

test('a restore touches no database of another application', async t => {
  const { url, folder, file } = await backUpEmpty(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  await client.query('drop schema public cascade; create schema public; create table invoices (id integer)')
  const refused = await ctl(url, folder, 'restore', file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /holds tables of another application/)
  assert.deepEqual((await client.query('select from invoices')).rows, [])
})

test('two backups to one file at once are both complete, and only remains of ended runs are removed', async t => {
  const { url } = await createTestDatabase(t)
  const folder = await folderFor(t)
  const file = path.join(folder, 'backup.tar.gz')
  const [ended, writing] = ['backup.tar.gz.7.part', 'backup.tar.gz.8.part']
  for (const name of [ended, writing, 'other.tar.gz.7.part']) await writeFile(path.join(folder, name), '')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  await client.query(`select pg_advisory_lock(x'6261636b'::int, 8)`)
  const ran = await Promise.all([ctl(url, folder, 'backup', file), ctl(url, folder, 'backup', file)])
  assert.deepEqual(
    ran.map(({ code, err }) => [code, err.startsWith('OK, ')]),
    [
      [0, true],
      [0, true],
    ],
    JSON.stringify(ran),
  )
  const left = (await readdir(folder)).filter(name => name.includes('.tar.gz'))
  assert.deepEqual(left.toSorted(), ['backup.tar.gz', writing, 'other.tar.gz.7.part'])
  const target = await createTestDatabase(t)
  assert.equal((await ctl(target.url, await folderFor(t), 'restore', file)).code, 0)
})

test('a process without a folder for backups leaves the job to others', async t => {
  const server = await startServer(t)
  const kinds = ['backup.make', 'letters.forget_deliveries']
  for (const kind of kinds)
    await sql(server, `select graphile_worker.add_job($1, '{"_cron": {"ts": "2026-01-04T02:23:00Z"}}'::json)`, [kind])
  const left = () =>
    sql(server, 'select task_identifier as kind from graphile_worker.jobs where task_identifier = any ($1)', [kinds])
  for (const endMs = Date.now() + 30_000; Date.now() < endMs && (await left()).length > 1;);
  assert.deepEqual(await left(), [{ kind: 'backup.make' }])
})

test('a backup is made each night where a folder is set, and old ones are removed', async t => {
  const folder = path.join(await folderFor(t), 'backups')
  await mkdir(folder)
  const names = ['2026-01-01T02-23-00Z.tar.gz', '2026-01-02T02-23-00Z.tar.gz', '2026-01-03T02-23-00Z.tar.gz.part']
  for (const name of names) await writeFile(path.join(folder, `millrace-${name}`), '')
  await writeFile(path.join(folder, 'other.tar.gz'), '')
  const server = await startServer(t, { env: { BACKUP_DIR: folder, BACKUP_KEEP: '2' } })
  await sql(server, `select graphile_worker.add_job('backup.make', '{"_cron": {"ts": "2026-01-04T02:23:00Z"}}'::json)`)
  const made = 'millrace-2026-01-04T02-23-00Z.tar.gz'
  const waiting = `select from graphile_worker.jobs where task_identifier = 'backup.make'`
  for (const endMs = Date.now() + 30_000; Date.now() < endMs && (await sql(server, waiting)).length > 0;);
  assert.deepEqual((await readdir(folder)).toSorted(), ['millrace-2026-01-02T02-23-00Z.tar.gz', made, 'other.tar.gz'])
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const bytes = Number(/^millrace_backup_bytes (\d+)$/m.exec(metrics)?.[1])
  assert.equal(bytes, (await stat(path.join(folder, made))).size)
  const target = await createTestDatabase()
  t.after(() => target.drop())
  assert.equal((await ctl(target.url, await folderFor(t), 'restore', path.join(folder, made))).code, 0)
})
