import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { test, type Test } from 'tap'
import { dumpSchema, schemaFile, schemaHeading } from '../../../src/platform/database/dump.ts'
import { migrate, type Log, type MigrateOptions } from '../../../src/platform/database/migrate.ts'
import { readFunctions, sqlFolder } from '../../../src/platform/database/migration_files.ts'
import { createEmptyDatabase, createTestDatabase, execute } from '../../support/database.ts'

type Files = Readonly<Record<string, string>>

const log = (): void => {}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** An empty database, and folders of migrations and functions for it. */
async function prepare(t: Test, files: Files, functionFiles: Files = {}) {
  const top = mkdtempSync(join(tmpdir(), 'millrace-migrations-'))
  t.after(() => rmSync(top, { recursive: true, force: true }))
  const folder = join(top, 'migrations')
  const functions = join(top, 'functions')
  mkdirSync(folder)
  mkdirSync(functions)
  write(folder, files)
  write(functions, functionFiles)
  const { url } = await createEmptyDatabase(t)
  return {
    folder,
    functions,
    url,
    run: (options: MigrateOptions = {}, told: Log = log) =>
      migrate({ connectionString: url }, told, { folder: top, ...options }),
    sql: (statement: string) => execute(url, statement),
  }
}

const counted = (text: string): string =>
  `create or replace function counted(a integer) returns integer language sql as $$ select ${text} $$;`

const concurrently = `--! no transaction
-- locks nothing for long
drop index concurrently if exists people_name;
--! then
create index concurrently people_name on people (name);
`

test('migrations are applied once, in order', async t => {
  const { run, sql } = await prepare(t, {
    '0002_names.sql': `alter table people add name text;\ninsert into people (id, name) values (1, 'é');`,
    '0001_people.sql': 'create table people (id bigint primary key);',
    '0003_index.sql': concurrently,
    'README.md': 'not a migration',
  })
  assert.deepEqual((await run()).applied, ['0001_people', '0002_names', '0003_index'])
  assert.deepEqual((await run()).applied, [])
  assert.deepEqual(await sql('select id, name from people'), [{ id: '1', name: 'é' }])
  const index = await sql(`select indisvalid from pg_index where indexrelid = 'people_name'::regclass`)
  assert.deepEqual(index, [{ indisvalid: true }])
})

test('when several processes start at once, one applies each migration, even one that waits for all transactions', async t => {
  const { run } = await prepare(t, {
    '0001_people.sql': 'create table people (id bigint primary key, name text);',
    '0002_index.sql': concurrently,
  })
  const results = await Promise.all([run(), run(), run(), run()])
  assert.deepEqual(
    results.flatMap(result => result.applied),
    ['0001_people', '0002_index'],
  )
})

test('migrations take as long as they need, whatever the database allows a statement', async t => {
  const { run, sql, url } = await prepare(t, {
    '0001_slow.sql': 'select pg_sleep(1.5);',
    '0002_alone.sql': '--! no transaction\nselect pg_sleep(1.5);\n',
  })
  const name = new URL(url).pathname.slice(1)
  await sql(`alter database ${name} set statement_timeout = '1s'`)
  await sql(`alter database ${name} set lock_timeout = '1s'`)
  assert.deepEqual((await run()).applied, ['0001_slow', '0002_alone'])
})

test('a failure names file, line and column, and leaves everything as it was', async t => {
  const files = { '0001_people.sql': 'create table people (id bigint primary key);' }
  const { folder, functions, run, sql } = await prepare(t, files, { 'counted.sql': counted('a') })
  await run()
  const state = `select (select array_agg(name) from migrations) as names, to_regclass('half') as half,
    to_regclass('whole') as whole, counted(1), (select array_agg(attname) from pg_attribute
      where attrelid = 'people'::regclass and attnum > 0) as columns`
  const before = await sql(state)
  write(folder, {
    '0002_whole.sql': 'create table whole (); alter table people add name text;',
    '0003_broken.sql': `-- an emoji counts as one: 🧵\ncreate table half ();\nselect '🧵', missing\nfrom people;`,
  })
  write(functions, { 'counted.sql': counted('a + 1') })
  await assert.rejects(run(), /0003_broken\.sql:3:13: column "missing" does not exist/)
  assert.deepEqual(await sql(state), before, 'the migration before the broken one was kept')
  write(folder, { '0003_broken.sql': 'create table half ();' })
  write(functions, { 'counted.sql': `${counted('a + 1')}\n selekt 2;` })
  await assert.rejects(run(), /counted\.sql:2:2: syntax error/)
  assert.deepEqual(await sql(state), before, 'migrations were kept without their functions')
  write(functions, { 'counted.sql': counted('a + 1') })
  assert.deepEqual(await run(), { applied: ['0002_whole', '0003_broken'], functions: ['counted'] })
})

test('a migration without a transaction keeps those before it, and is repeated', async t => {
  const { folder, run, sql } = await prepare(t, {
    '0001_people.sql': 'create table people (id bigint primary key, name text);',
    '0002_index.sql': concurrently,
    '0003_broken.sql': '--! no transaction\nselect 1;\n--! then\n\n  selekt 2;',
  })
  await assert.rejects(run(), /0003_broken\.sql:5:3: syntax error at or near "selekt"/)
  const names = 'select array_agg(name order by name) as names from migrations'
  assert.deepEqual(await sql(names), [{ names: ['0001_people', '0002_index'] }])
  write(folder, { '0003_broken.sql': 'select 1;' })
  assert.deepEqual((await run()).applied, ['0003_broken'])
})

test('while others serve, a migration waits for a lock only briefly, tries again, or is refused whole', async t => {
  const { folder, url, run, sql } = await prepare(t, { '0001_people.sql': 'create table people (id bigint);' })
  await run()
  write(folder, { '0002_tags.sql': 'create table tags ();', '0003_names.sql': 'alter table people add name text;' })
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('begin')
  await holder.query('lock table people in access share mode')
  const { promise: waited, resolve: waits } = Promise.withResolvers<void>()
  const migrating = run({ whileServing: true }, message => {
    if (message.includes('waits for a lock')) waits()
  })
  await waited
  assert.deepEqual(await sql(`select to_regclass('tags') as tags`), [{ tags: null }])
  await holder.query('commit')
  assert.deepEqual((await migrating).applied, ['0002_tags', '0003_names'])

  write(folder, { '0004_more.sql': 'create table more ();', '0005_gone.sql': '--! stop first\ndrop table tags;' })
  await assert.rejects(
    run({ whileServing: true }),
    /0005_gone cannot be applied while the server runs: stop it, then start it/,
  )
  assert.deepEqual(await sql(`select to_regclass('more') as more`), [{ more: null }])
  assert.deepEqual((await run()).applied, ['0004_more', '0005_gone'])
})

test('a failure inside a function names the position', async t => {
  const { run } = await prepare(t, {
    '0001_block.sql': `do $$ begin raise exception 'no' using hint = 'try yes'; end $$;`,
  })
  await assert.rejects(
    run(),
    /0001_block\.sql: no\n {2}try yes\n {2}PL\/pgSQL function inline_code_block line 1 at RAISE/,
  )
})

test('a migration that was changed after it was applied is refused by name; different line ends are no change', async t => {
  const { folder, run } = await prepare(t, { '0001_people.sql': 'create table people (\n  id bigint\n);\n' })
  await run()
  write(folder, { '0001_people.sql': 'create table people (\r\n  id bigint\r\n);\r\n' })
  assert.deepEqual((await run()).applied, [])
  write(folder, { '0001_people.sql': 'create table people (\n  id integer\n);\n' })
  await assert.rejects(run(), /migration 0001_people was changed after it was applied/)
})

test('a migration may replace an earlier text of itself, which databases and backups may have', async t => {
  const earlier = 'create table people (id bigint);'
  const { folder, run, sql } = await prepare(t, { '0001_people.sql': earlier })
  await run()
  const only = await sql('select name, checksum from migrations')
  const checksum = createHash('sha256').update(earlier).digest('hex')
  const other = await prepare(t, { '0001_people.sql': `--! replaces ${checksum}\ncreate table people (id bigint);` })
  const applied = only.map(row => ({ name: String(row['name']), checksum: String(row['checksum']) }))
  assert.deepEqual((await other.run({ only: applied })).applied, ['0001_people'])
  write(folder, { '0001_people.sql': `--! replaces ${checksum}\ncreate table people (id bigint);` })
  assert.deepEqual((await run()).applied, [])
  write(folder, { '0001_people.sql': `--! replaces ${'0'.repeat(64)}\ncreate table people (id bigint);` })
  await assert.rejects(run(), /migration 0001_people was changed after it was applied/)
})

test('a deadlock of a migration without a transaction is not the end while others serve', async t => {
  const { folder, url, run, sql } = await prepare(t, { '0001_people.sql': 'create table people (id bigint);' })
  await run()
  await sql('insert into people values (1), (2)')
  write(folder, {
    '0002_twice.sql': `--! no transaction
do $$ begin
  update people set id = id where id = 1;
  update people set id = id where id = 2;
end $$;`,
  })
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query(`set deadlock_timeout = '10min'`)
  await holder.query('begin')
  await holder.query('update people set id = id where id = 2')
  const { promise: waited, resolve: waits } = Promise.withResolvers<void>()
  const migrating = run({ whileServing: true }, message => {
    if (message.includes('waits for a lock')) waits()
  })
  const waiting = `select from pg_stat_activity
    where application_name = 'millrace migrate' and wait_event_type = 'Lock' and datname = current_database()`
  while ((await sql(waiting)).length === 0);
  await holder.query('update people set id = id where id = 1')
  await waited
  await holder.query('commit')
  assert.deepEqual((await migrating).applied, ['0002_twice'])
})

test('a lower number than an applied one is applied; a duplicate or missing number is refused', async t => {
  const { folder, run, sql } = await prepare(t, { '0001_one.sql': 'select 1', '0004_four.sql': 'select 4' })
  await run()
  write(folder, { '0003_three.sql': 'create table three as select * from two', '0002_two.sql': 'create table two ()' })
  assert.deepEqual((await run()).applied, ['0002_two', '0003_three'])
  assert.deepEqual((await run()).applied, [])
  assert.deepEqual(await sql('select count(*)::int from migrations'), [{ count: 4 }])
  write(folder, { '0003_other.sql': 'select 3' })
  await assert.rejects(run(), /migrations 0003_other\.sql and 0003_three\.sql have the same number/)
  rmSync(join(folder, '0003_other.sql'))
  write(folder, { 'four.sql': 'select 4' })
  await assert.rejects(run(), /migration four\.sql is not named like/)
})

test('a changed function is created again, once, with everything that depends on it', async t => {
  const files = {
    '0001_people.sql': `--! function counted
create table people (id integer default counted(1));`,
  }
  const { functions, run, sql } = await prepare(t, files, { 'counted.sql': counted('a') })
  assert.deepEqual(await run(), { applied: ['0001_people'], functions: ['counted'] })
  assert.deepEqual(await run(), { applied: [], functions: [] })
  write(functions, { 'counted.sql': counted('a + 1') })
  const results = await Promise.all([run(), run(), run()])
  assert.deepEqual(
    results.flatMap(result => result.functions),
    ['counted'],
    'of processes that start at once one does it',
  )
  assert.deepEqual(await sql('insert into people default values returning id'), [{ id: 2 }])
  write(functions, { 'counted.sql': `${counted('a')}\r\n` })
  assert.deepEqual((await run()).functions, ['counted'])
  write(functions, { 'counted.sql': `${counted('a')}\n` })
  assert.deepEqual((await run()).functions, [], 'other line ends are no change')
})

test('a function with other parameters or another result replaces the previous one', async t => {
  const { functions, run, sql } = await prepare(t, {}, { 'counted.sql': counted('a') })
  await run()
  const change = async (text: string): Promise<unknown> => {
    write(functions, { 'counted.sql': text })
    await run()
    return sql(
      `select array_agg(oid::regprocedure || ' ' || prorettype::regtype order by oid) as found from pg_proc where proname = 'counted'`,
    )
  }
  const renamed = 'create or replace function counted(b integer) returns text language sql as $$ select b::text $$;'
  assert.deepEqual(await change(renamed), [{ found: ['counted(integer) text'] }])
  const other = 'create or replace function counted(b text) returns text language sql as $$ select b $$;'
  assert.deepEqual(await change(other), [{ found: ['counted(text) text'] }])
  assert.deepEqual(await change(`${other}\n${renamed}`), [{ found: ['counted(text) text', 'counted(integer) text'] }])
  assert.deepEqual(await change(renamed), [{ found: ['counted(integer) text'] }])
})

test('functions fail all together, by file and line, and name the dependants of the old one', async t => {
  const files = { '0001_people.sql': '--! function counted\n\ncreate table people (id integer default counted(1));' }
  const { functions, run, sql } = await prepare(t, files, { 'counted.sql': counted('a') })
  await run()
  const other = 'create or replace function counted(b integer) returns text language sql as $$ select b::text $$;'
  write(functions, { 'another.sql': counted('a').replace('counted', 'another'), 'counted.sql': other })
  await assert.rejects(run(), /cannot drop function counted\(integer\) because other objects depend on it/)
  assert.deepEqual(await sql(`select to_regproc('another') as found`), [{ found: null }])
  write(functions, { 'counted.sql': `${counted('a + 1')}\n  selekt 2;` })
  await assert.rejects(run(), /functions\/counted\.sql:2:3: syntax error at or near "selekt"/)
  write(functions, { 'counted.sql': 'select 1' })
  await assert.rejects(run(), /counted\.sql does not contain `create or replace function counted`/)
  rmSync(join(functions, 'counted.sql'))
  await assert.rejects(run(), /0001_people\.sql:1: there is no file sql\/functions\/counted\.sql/)
})

test('a process of an older release refuses the database of a newer one, and changes nothing', async t => {
  const { folder, functions, run, sql } = await prepare(
    t,
    { '0001_one.sql': 'select 1' },
    { 'counted.sql': counted('a') },
  )
  write(folder, { '0003_three.sql': 'select 3' })
  await run()
  rmSync(join(folder, '0003_three.sql'))
  write(folder, { '0002_two.sql': 'create table two ()' })
  write(functions, { 'counted.sql': counted('a - 1') })
  await assert.rejects(run(), /the database is of a newer release than this one, which does not know 0003_three: /)
  assert.deepEqual(await sql(`select counted(1), to_regclass('two') as two`), [{ counted: 1, two: null }])
})

test('a database of a development version from before the first release is refused', async t => {
  const { run, sql } = await prepare(t, { '0001_one.sql': 'select 1' })
  await sql(
    `create table migrations (name text primary key, checksum text not null, applied_at timestamptz default now())`,
  )
  await sql(`insert into migrations values ('0001_one', 'of another text')`)
  await assert.rejects(run(), /^Error: the database was made by a development version from before the first release: /)
})

test('functions are in sql/functions only, and each body is valid when all tables exist', async t => {
  const database = await createTestDatabase()
  const own = readFunctions(join(sqlFolder, 'functions'))
  const migrations = readdirSync(join(sqlFolder, 'migrations')).map(name =>
    readFileSync(join(sqlFolder, 'migrations', name), 'utf8'),
  )
  assert.deepEqual(
    migrations.flatMap(text =>
      [...text.matchAll(/^create (?:or replace )?(?:function|procedure) (\w+)/gim)].map(found => found[1]),
    ),
    [],
  )
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  for (const { name, part } of own.values()) {
    await t.test(name, async () => {
      await client.query(part.text)
    })
  }
})

test('sql/schema.sql is the result of the migrations', async t => {
  const { url } = await createTestDatabase(t)
  const [server] = await execute(url, `select current_setting('server_version_num')::int / 10000 as major`)
  const committed = readFileSync(schemaFile, 'utf8')
  if (!committed.startsWith(schemaHeading(Number(server?.major))))
    return t.plan(0, 'written by another major version of PostgreSQL')
  const lines = (await dumpSchema({ connectionString: url })).split('\n')
  const committedLines = committed.split('\n')
  const first = lines.findIndex((line, index) => line !== committedLines[index])
  const change = `line ${first + 1} is ${lines[first]}, was ${committedLines[first]}`
  assert.ok(lines.join('\n') === committed, `the schema has changed (${change}): run \`npm run schema\``)
})
