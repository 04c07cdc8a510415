import assert from 'node:assert/strict'
import { test } from 'tap'
import { parseCsv } from '../../../src/timelines/data_import/parse_csv.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { signedIn } from '../../support/signed_in.ts'
import { fileOf, load, PAGE } from './import_fixtures.ts'

test('CSV is read as RFC 4180 says', async () => {
  assert.deepEqual(parseCsv('\ufeffa,"b, ""c"""\r\n\r\n"x\ny",\nlast'), [['a', 'b, "c"'], ['x\ny', ''], ['last']])
  assert.equal(parseCsv('"never ends'), undefined)
  assert.deepEqual(parseCsv(''), [])
  assert.deepEqual(parseCsv(',,\n" ""x"" ",\r\n\ny'), [['"x"', ''], ['y']])
  assert.deepEqual(parseCsv('a\nb\nc\nd', 2), [['a'], ['b'], ['c']])
})

const idsOf = async (one: Person, path: string): Promise<string[]> =>
  ((await one.get(path)).json as { id: string }[]).map(({ id }) => id).toSorted()

test('follows are imported with options or replaced, and failed rows can be downloaded', async t => {
  const alice = await signedIn(t, 'alice')
  const { bob, carol, dora } = await people(t, 'bob', 'carol', 'dora')
  await alice.person.follow(dora)
  const domain = new URL(alice.server.url).hostname
  const text = [
    'Account address,Show boosts,Notify on new posts,Languages',
    `${bob.username},false,true,"de, fr"`,
    `${carol.username}@${alice.server.config.localDomain},true,false,`,
    `nobody_${domain},true,false,`,
    `${alice.person.username},true,false,`,
  ].join('\n')
  assert.deepEqual(await load(alice, 'follows', text), [4, 2])
  const following = `/api/v1/accounts/${alice.person.id}/following`
  assert.deepEqual(await idsOf(alice.person, following), [bob.id, carol.id, dora.id].toSorted())
  const relations = (await alice.person.get(`/api/v1/accounts/relationships?id[]=${bob.id}`)).json as object[]
  const { showing_reblogs, notifying, languages } = relations[0] as Record<string, unknown>
  assert.deepEqual([showing_reblogs, notifying, languages], [false, true, ['de', 'fr']])
  const page = await alice.browser.get(PAGE)
  const failures = /href="(\/settings\/imports\/\d+\/failures\.csv)"/.exec(page.text)?.[1] ?? ''
  const file = await alice.browser.get(failures)
  assert.equal(
    file.text,
    `Account address,Show boosts,Notify on new posts,Languages\nnobody_${domain},true,false,\n${alice.person.username},true,false,\n`,
  )
  const stranger = await signedIn(t, 'stranger')
  assert.equal((await stranger.browser.get(failures)).status, 404)
  const unsure = await alice.browser.submit(page, PAGE, {
    'import[kind]': 'follows',
    'import[mode]': 'overwrite',
    'import[file]': fileOf(`Account address\n${bob.username}`),
  })
  assert.match(unsure.text, /Please confirm that you are sure/)
  assert.equal(unsure.forms.find(({ action }) => action === PAGE)?.fields['import[mode]'], 'overwrite')
  assert.ok((await idsOf(alice.person, following)).length > 1)
  assert.deepEqual(await load(alice, 'follows', `Account address\n${bob.username}`, 'overwrite'), [1, 0])
  assert.deepEqual(await idsOf(alice.person, following), [bob.id])
})

test('another server imports the exported blocks, mutes, domains, bookmarks and lists', async t => {
  const alice = await signedIn(t, 'alice')
  const eve = await signedIn(t, 'eve')
  const { bob, carol } = await people(t, 'bob', 'carol')
  const { id: status } = await bob.postStatus('marked')
  for (const one of [alice.person]) {
    await one.post(`/api/v1/accounts/${bob.id}/block`)
    await one.post(`/api/v1/accounts/${carol.id}/mute`, { notifications: false })
    await one.post('/api/v1/domain_blocks', { domain: 'bad.example' })
    await one.post('/api/v1/domain_blocks', { domain: 'worse.example' })
    await one.follow(carol)
    const list = (await one.post('/api/v1/lists', { title: 'Friends, "good"' })).json as { id: string }
    await one.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [carol.id] })
  }
  const { id: other } = await carol.postStatus('marked too')
  await alice.person.post(`/api/v1/statuses/${other}/bookmark`)
  const exported = async (name: string): Promise<string> =>
    (await alice.browser.get(`/settings/exports/${name}.csv`)).text
  await eve.person.follow(carol)
  await eve.person.post('/api/v1/domain_blocks', { domain: 'old.example' })
  await eve.person.post(`/api/v1/statuses/${status}/bookmark`)
  for (const kind of ['blocks', 'mutes', 'domain_blocks', 'bookmarks', 'lists'])
    assert.equal((await load(eve, kind, await exported(kind), 'overwrite'))[1], 0, kind)
  const blocks = await idsOf(eve.person, '/api/v1/blocks')
  assert.deepEqual(blocks, [bob.id])
  const relations = (await eve.person.get(`/api/v1/accounts/relationships?id[]=${carol.id}`)).json as object[]
  const { muting, muting_notifications } = relations[0] as Record<string, unknown>
  assert.deepEqual([muting, muting_notifications], [true, false])
  const domains = (await eve.person.get('/api/v1/domain_blocks')).json as string[]
  assert.deepEqual(domains.toSorted(), ['bad.example', 'worse.example'])
  assert.deepEqual(await idsOf(eve.person, '/api/v1/bookmarks'), [other])
  const lists = (await eve.person.get('/api/v1/lists')).json as { id: string; title: string }[]
  assert.deepEqual(
    lists.map(({ title }) => title),
    ['Friends, "good"'],
  )
  assert.deepEqual(await idsOf(eve.person, `/api/v1/lists/${lists[0]?.id}/accounts`), [carol.id])
  assert.deepEqual(await load(eve, 'lists', 'New list,nobody_there\nFriends,'), [2, 2])
  for (const kind of ['blocks', 'mutes', 'bookmarks']) await load(eve, kind, await exported(kind))
  await load(eve, 'blocks', `Account address\n${carol.username}`, 'overwrite')
  assert.deepEqual(await idsOf(eve.person, '/api/v1/blocks'), [carol.id])
})

test('the first list may be named like a column', async t => {
  const { person: carol } = await signedIn(t, 'carol')
  const eve = await signedIn(t, 'eve')
  await eve.person.follow(carol)
  assert.deepEqual(await load(eve, 'lists', `Languages,${carol.username}\nTea,${carol.username}\n`), [2, 0])
  const lists = (await eve.person.get('/api/v1/lists')).json as { title: string }[]
  assert.deepEqual(lists.map(({ title }) => title).toSorted(), ['Languages', 'Tea'])
  const withHeader = `List name,Account address\nMills,${carol.username}\n`
  assert.deepEqual(await load(eve, 'lists', withHeader), [1, 0])
})

test('an import leaves the end of a mute, and what came since', async t => {
  const alice = await signedIn(t, 'alice')
  const { bob } = await people(t, 'bob')
  await alice.person.post(`/api/v1/accounts/${bob.id}/mute`, { duration: 3600 })
  await bob.postStatus(`@${alice.person.username} hello`, { visibility: 'direct' })
  const muted = async (): Promise<unknown> =>
    ((await alice.person.get('/api/v1/mutes')).json as { mute_expires_at: unknown }[]).map(one => one.mute_expires_at)
  const before = await muted()
  const conversations = async (): Promise<unknown> =>
    sql(alice.server, 'select id from account_conversations where account_id = $1', [alice.person.id])
  const had = await conversations()
  const { text } = await alice.browser.get('/settings/exports/mutes.csv')
  assert.deepEqual(await load(alice, 'mutes', text), [1, 0])
  assert.deepEqual([await muted(), await conversations()], [before, had])
  await alice.person.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await muted(), [null])
})

test('a file that cannot be imported is refused with the reason', async t => {
  const { person, browser, server } = await signedIn(t, 'alice')
  const refused = async (change: Record<string, string | File | null>, reason: RegExp): Promise<void> => {
    const response = await browser.submit(await browser.get(PAGE), PAGE, change)
    assert.equal(response.status, 200, response.text)
    assert.match(response.text, reason)
  }
  await refused({}, /id="import_file_error">is missing/)
  await refused({ 'import[file]': fileOf('"x') }, /cannot be read as CSV/)
  await refused({ 'import[file]': new File([new Uint8Array([0xff, 0xfe, 0x00])], 'x.csv') }, /cannot be read as CSV/)
  await refused({ 'import[file]': fileOf('Account address\n') }, /contains no rows/)
  await refused({ 'import[file]': fileOf('List name,Hide notifications\nx,y') }, /has none of the columns/)
  await refused({ 'import[file]': fileOf('x\n'.repeat(20_001)) }, /has more than 20000 rows/)
  const huge = new File([new Uint8Array(20 * 1024 * 1024 + 1).fill(0x61)], 'x.csv')
  await refused({ 'import[file]': huge }, /has more than 20 MB/)
  const unknown = await browser.submit(await browser.get(PAGE), PAGE, { 'import[kind]': 'everything' })
  assert.equal(unknown.status, 422)
  assert.deepEqual(await sql(server, 'select id from imports where account_id = $1', [person.id]), [])
})

test('a long import is done in several runs, and its progress is shown', async t => {
  const alice = await signedIn(t, 'alice')
  const { bob } = await people(t, 'bob')
  const rows = [...Array.from({ length: 450 }, (_, index) => `nobody_${index}`), bob.username]
  assert.deepEqual(await load(alice, 'blocks', rows.join('\n')), [451, 450])
  assert.deepEqual(await idsOf(alice.person, '/api/v1/blocks'), [bob.id])
  const { text } = await alice.browser.get(PAGE)
  assert.match(text, /1 row imported/)
  assert.match(text, /450 rows failed/)
  await sql(
    alice.server,
    `insert into imports (account_id, kind, overwrite, file_name, rows_count, done_count) values ($1, 'mutes', false, 'x', 10, 4)`,
    [alice.person.id],
  )
  assert.match((await alice.browser.get(PAGE)).text, /<progress max="10" value="4"/)
})

test('an import whose job was deleted ends as failed', async t => {
  const { browser, person, server } = await signedIn(t, 'alice')
  await sql(
    server,
    `with made as (
       insert into imports (account_id, kind, overwrite, file_name, rows_count, created_at)
       select $1, 'mutes', false, 'mutes.csv', 1, now() - interval '3 days' from generate_series(1, 5) returning id
     )
     insert into import_rows (import_id, position, cells) select made.id, 1, array['nobody'] from made`,
    [person.id],
  )
  const form = await browser.get(PAGE)
  const fields = { 'import[kind]': 'mutes', 'import[mode]': 'merge', 'import[file]': fileOf('nobody_there') }
  assert.equal((await browser.submit(form, PAGE, fields)).status, 200, 'five are unfinished')
  await sql(server, `select enqueue('data_import.remove_old', '{}')`)
  const unfinished = (): Promise<unknown> =>
    sql(server, 'select id from imports where account_id = $1 and finished_at is null', [person.id])
  await becomes(unfinished, [], 'the end of the imports')
  assert.match((await browser.get(PAGE)).text, /1 row failed/)
  assert.equal((await browser.submit(await browser.get(PAGE), PAGE, fields)).status, 302)
})

test('two imports at once that name the same new list make one', async t => {
  const { server, person } = await signedIn(t, 'alice')
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('lock table lists in share mode')
  await sql(
    server,
    `with made as (
       insert into imports (account_id, kind, overwrite, file_name, rows_count)
       select $1, 'lists', false, 'lists.csv', 1 from generate_series(1, 2) returning id
     ), stored as (
       insert into import_rows (import_id, position, cells) select made.id, 1, array['Twice', $2] from made
     )
     select enqueue('data_import.run', json_build_object('import', made.id::text)) from made`,
    [person.id, person.username],
  )
  await waitForLocks(server, 2)
  await other.query('rollback')
  const unfinished = (): Promise<unknown> =>
    sql(server, 'select id from imports where account_id = $1 and finished_at is null', [person.id])
  await becomes(unfinished, [], 'both imports')
  const lists = (await person.get('/api/v1/lists')).json as { id: string; title: string }[]
  assert.deepEqual(
    lists.map(({ title }) => title),
    ['Twice'],
  )
  assert.deepEqual(await idsOf(person, `/api/v1/lists/${lists[0]?.id}/accounts`), [person.id])
})

test('an import that replaces leaves what was added while it waited', async t => {
  const { server, person } = await signedIn(t, 'alice')
  const { bob, carol, dave, frank } = await people(t, 'bob', 'carol', 'dave', 'frank')
  const add = async (one: Person, host: string): Promise<void> => {
    for (const change of ['follow', 'mute']) await person.post(`/api/v1/accounts/${one.id}/${change}`)
    await person.post(`/api/v1/statuses/${(await one.postStatus('marked')).id}/bookmark`)
    await person.post('/api/v1/domain_blocks', { domain: host })
  }
  const present = async (): Promise<unknown> =>
    sql(
      server,
      `select
         (select array_agg(target_account_id::text) from follows where account_id = $1) as follows,
         (select array_agg(target_account_id::text) from mutes where account_id = $1) as mutes,
         (select array_agg(target_account_id::text) from blocks where account_id = $1) as blocks,
         (select count(*)::integer from bookmarks where account_id = $1) as bookmarks,
         (select array_agg(domain) from account_domain_blocks where account_id = $1) as domains`,
      [person.id],
    )
  const kinds = ['follows', 'mutes', 'blocks', 'bookmarks', 'domain_blocks']
  await add(bob, 'old.example')
  await person.post(`/api/v1/accounts/${dave.id}/block`)
  const stored = await sql(
    server,
    `with made as (
       insert into imports (account_id, kind, overwrite, file_name, rows_count)
       select $1, kind, true, 'all.csv', 1 from unnest($2::text[]) kind returning id
     ), stored as (
       insert into import_rows (import_id, position, cells, state) select made.id, 1, array['x'], 'done' from made
     )
     select id::text from made`,
    [person.id, kinds],
  )
  await add(carol, 'new.example')
  await person.post(`/api/v1/accounts/${frank.id}/block`)
  await sql(server, `select enqueue('data_import.run', json_build_object('import', id)) from unnest($1::text[]) id`, [
    stored.map(({ id }) => id),
  ])
  const unfinished = (): Promise<unknown> =>
    sql(server, 'select id from imports where account_id = $1 and finished_at is null', [person.id])
  await becomes(unfinished, [], 'the imports')
  assert.deepEqual(await present(), [
    { follows: [carol.id], mutes: [carol.id], blocks: [frank.id], bookmarks: 1, domains: ['new.example'] },
  ])
})
