import assert from 'node:assert/strict'
import { test } from 'tap'
import { ARCHIVES, makeKey, openStorage } from '../../../src/platform/storage/index.ts'
import { entity, picture, until, upload } from '../../media/attachments/media_fixtures.ts'
import { Browser, type Page } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { openTestBucket } from '../../support/bucket.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { person, sql } from '../../support/people.ts'
import { sharedServer, startServer, type TestServer } from '../../support/server.ts'
import { runHere } from '../../cli/command.ts'
import { ask, download, keysOf, owner, PAGE, waitForLink } from './export_fixtures.ts'
import { unzip } from './unzip.ts'

interface Collection {
  readonly totalItems: number
  readonly orderedItems: readonly Record<string, unknown>[]
}

const read = (files: ReadonlyMap<string, Buffer>, name: string): unknown => {
  const bytes = files.get(name)
  assert.ok(bytes, `${name} is in the archive, which has ${[...files.keys()].join(' ')}`)
  return JSON.parse(bytes.toString())
}

/** Whether storage has a file with a key. */
const isStored = async (server: TestServer, key: string): Promise<boolean> =>
  (await openStorage(server.config).sizeOf(key)) !== undefined

test('an archive holds profile, posts, likes, bookmarks and files, and an e-mail announces it', async t => {
  const mailbox = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mailbox.url } })
  const { person: alice, browser } = await owner(t, server, 'alice')
  const bob = await person(server, 'bob')
  t.after(() => bob.close())
  const avatar = await picture(50, 50).png().toBuffer()
  const profile = new FormData()
  profile.append('display_name', 'Alice A.')
  profile.append('note', 'hello')
  profile.append('avatar', new Blob([Uint8Array.from(avatar)], { type: 'image/png' }), 'a.png')
  assert.equal((await alice.patch('/api/v1/accounts/update_credentials', profile)).status, 200)
  const file = entity(await upload(alice, 'v2', await picture(30, 20).png().toBuffer(), { description: 'a square' }))
  const other = await bob.postStatus('from bob')
  const post = await alice.postStatus(`hi @${bob.username} #cats`, { media_ids: [file.id], in_reply_to_id: other.id })
  const secret = await alice.postStatus(`psst @${bob.username}`, { visibility: 'direct', spoiler_text: 'shh' })
  await alice.postStatus('which?', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  await alice.post(`/api/v1/statuses/${other.id}/reblog`)
  await alice.post(`/api/v1/statuses/${other.id}/favourite`)
  await alice.post(`/api/v1/statuses/${other.id}/bookmark`)
  const deleted = await alice.postStatus('deleted')
  await alice.delete(`/api/v1/statuses/${deleted.id}`)

  const requested = await ask(browser)
  assert.deepEqual([requested.status, requested.location], [302, PAGE])
  const email = await mailbox.email(alice.email, /archive/)
  assert.match(email.text, /\/settings\/exports/)
  const link = await waitForLink(browser)
  const { headers, bytes } = await download(browser, link)
  assert.equal(headers.get('content-type'), 'application/zip')
  assert.match(
    headers.get('content-disposition') ?? '',
    new RegExp(`^attachment; filename="archive-${alice.username}-`),
  )
  assert.equal(headers.get('cache-control'), 'private, no-store')
  const files = unzip(bytes)

  const actor = read(files, 'actor.json') as Record<string, unknown>
  assert.deepEqual(
    [actor['type'], actor['preferredUsername'], actor['name'], actor['summary']],
    ['Person', alice.username, 'Alice A.', '<p>hello</p>'],
  )
  const { url: avatarName } = actor['icon'] as { url: string }
  assert.ok((files.get(avatarName)?.length ?? 0) > 0)
  const outbox = read(files, 'outbox.json') as Collection
  assert.equal(outbox.totalItems, 4)
  assert.deepEqual(
    outbox.orderedItems.map(item => item['type']),
    ['Create', 'Create', 'Create', 'Announce'],
  )
  const [first, second, third, boost] = outbox.orderedItems
  const note = first?.['object'] as Record<string, unknown>
  assert.deepEqual([note['id'], note['inReplyTo'], note['content']], [post['uri'], other['uri'], post['content']])
  const [attachment] = note['attachment'] as Record<string, string>[]
  assert.deepEqual([attachment?.['mediaType'], attachment?.['name']], ['image/png', 'a square'])
  assert.ok((files.get(attachment?.['url'] ?? '')?.length ?? 0) > 0, 'the file of the attachment')
  assert.deepEqual(
    (note['tag'] as { name: string }[]).map(tag => tag.name),
    [`@${bob.username}`, '#cats'],
  )
  const direct = second?.['object'] as Record<string, unknown>
  assert.deepEqual([direct['id'], direct['summary'], direct['cc']], [secret['uri'], 'shh', []])
  const question = third?.['object'] as { type: string; oneOf: { name: string }[] }
  assert.deepEqual([question.type, question.oneOf.map(one => one.name)], ['Question', ['a', 'b']])
  assert.equal(boost?.['object'], other['uri'])
  for (const name of ['likes.json', 'bookmarks.json'])
    assert.deepEqual((read(files, name) as Collection).orderedItems, [other['uri']], name)
})

test('an archive is readable only by its owner and can be requested once a week', async t => {
  const server = await sharedServer()
  const { person: alice, browser } = await owner(t, server, 'alice')
  const { browser: other } = await owner(t, server, 'bob')
  await ask(browser)
  const again = await browser.get(PAGE)
  assert.ok(!again.forms.some(form => form.action === PAGE), 'the form is hidden for a week')
  const { authenticity_token: token = '' } = again.forms[0]?.fields ?? {}
  await browser.post(PAGE, { authenticity_token: token })
  assert.match((await browser.get(PAGE)).text, /once a week/)
  const link = await waitForLink(browser)
  const [key = ''] = await keysOf(server, alice.userId)
  assert.match(key, /^archives\//)
  assert.equal((await new Client(server).get(`/media/${key}`)).status, 404, 'the key alone is not enough')
  const file = link.replace('download', 'archive.zip')
  for (const path of [link, file]) {
    assert.equal((await other.get(path)).status, 404, path)
    assert.equal((await new Browser(server).get(path)).location, '/auth/sign_in', path)
  }
  const refused = await new Browser(server).post(PAGE, {})
  assert.deepEqual([refused.status, refused.location], [302, '/auth/sign_in'])
  assert.equal((await browser.post(PAGE, {})).status, 422, 'a form without the CSRF token')
  await sql(server, `update backups set created_at = now() - interval '7 days' where user_id = $1`, [alice.userId])
  assert.equal((await ask(browser)).status, 302)
  await until(
    () => keysOf(server, alice.userId),
    keys => keys.length === 1 && keys[0] !== key,
    'the first is replaced',
  )
  await until(
    () => isStored(server, key),
    stored => !stored,
    'the file of the first is removed',
  )
})

test('of two archives that are finished at the same moment the newest stays, whichever is first', async t => {
  const server = await sharedServer()
  for (const turn of ['older first', 'newer first']) {
    const { person: alice, browser } = await owner(t, server, 'alice')
    const keys = [makeKey(ARCHIVES, 'zip'), makeKey(ARCHIVES, 'zip')]
    const made = await sql(
      server,
      'insert into backups (user_id, file_key) select $1, unnest($2::text[]) returning id::text',
      [alice.userId, keys],
    )
    const ids = made.map(({ id }) => String(id))
    const other = await connect(t, server)
    await other.query('begin')
    await other.query('select from backups where user_id = $1 for update', [alice.userId])
    for (const [index, id] of (turn === 'older first' ? ids : ids.toReversed()).entries()) {
      await sql(server, `select graphile_worker.add_job('exports.archive', json_build_object('backup', $1::text))`, [
        id,
      ])
      await waitForLocks(server, index + 1)
    }
    await other.query('rollback')
    const [older = '', newer = ''] = keys
    await until(
      () => keysOf(server, alice.userId),
      left => left.length === 1 && left[0] === newer,
      `the newest one, ${turn}`,
    )
    await until(
      () => isStored(server, older),
      stored => !stored,
      `the removal of the other one, ${turn}`,
    )
    assert.equal(await waitForLink(browser), `/backups/${ids[1]}/download`)
    assert.ok(await isStored(server, newer))
  }
})

test('a suspended user can still export their posts', async t => {
  const server = await sharedServer()
  const { person: eve, browser } = await owner(t, server, 'eve')
  await eve.postStatus('mine all the same')
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [eve.id])
  await ask(browser)
  const files = unzip((await download(browser, await waitForLink(browser))).bytes)
  assert.equal((read(files, 'outbox.json') as Collection).totalItems, 1)
})

test('an interrupted archive is completed by the next attempt, and ctl can request one at any time', async t => {
  const server = await startServer(t)
  const { person: alice, browser } = await owner(t, server, 'alice')
  await sql(
    server,
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
     create trigger refused before update on backups for each row execute function refuse();
     insert into statuses (account_id, text, content, visibility) select ${alice.id}, 'x', '<p>x</p>', 'public' from generate_series(1, 1234)`,
  )
  const env = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataDir }
  assert.deepEqual(await runHere(['accounts', 'backup', 'nobody'], env), {
    code: 1,
    out: '',
    err: 'No user with such username\n',
  })
  assert.deepEqual(await runHere(['accounts', 'backup', alice.username], env), { code: 0, out: 'OK\n', err: '' })
  const errors = () =>
    sql(server, `select last_error from graphile_worker.jobs where task_identifier = 'exports.archive'`)
  await until(errors, ([row]) => row?.['last_error'] === 'not now', 'a first try')
  assert.match((await browser.get(PAGE)).text, /in preparation/)
  await sql(server, 'drop trigger refused on backups')
  const files = unzip((await download(browser, await waitForLink(browser))).bytes)
  assert.equal((read(files, 'outbox.json') as Collection).totalItems, 1234)
  assert.equal((await keysOf(server, alice.userId)).length, 1)
  assert.match((await runHere(['media', 'usage'], env)).out, /^Backups +[1-9]/m)
})

test('archives are removed after the configured days and when their user is deleted', async t => {
  const server = await sharedServer()
  const { person: alice, browser } = await owner(t, server, 'alice')
  await ask(browser)
  const link = await waitForLink(browser)
  const file = link.replace('download', 'archive.zip')
  await sql(server, `update backups set ready_at = now() - interval '6 days 23 hours' where user_id = $1`, [
    alice.userId,
  ])
  const expire = `select graphile_worker.add_job('exports.expire')`
  const due = (): Promise<unknown[]> =>
    sql(server, `select 1 from graphile_worker.jobs where task_identifier = 'exports.expire'`)
  await sql(server, expire)
  await until(due, jobs => jobs.length === 0, 'the first job')
  assert.equal((await browser.get(link)).status, 302, 'not yet')
  await sql(server, `update backups set ready_at = now() - interval '7 days' where user_id = $1`, [alice.userId])
  await sql(server, expire)
  await until(
    () => browser.get(link),
    (answer: Page) => answer.status === 404,
    'the expiry',
  )
  assert.equal((await browser.get(file)).status, 404)
  assert.match((await browser.get(PAGE)).text, /removed since/)

  const { person: bob, browser: own } = await owner(t, server, 'bob')
  await ask(own)
  await waitForLink(own)
  const [key = ''] = await keysOf(server, bob.userId)
  assert.ok(await isStored(server, key))
  await sql(server, 'delete from users where id = $1', [bob.userId])
  await until(
    () => isStored(server, key),
    stored => !stored,
    'the removal with the user',
  )
})

test('an archive in a bucket is served by a signed URL for five minutes', async t => {
  const bucket = await openTestBucket(t)
  const server = await startServer(t, { env: bucket.env })
  const { person: alice, browser } = await owner(t, server, 'alice')
  const file = entity(await upload(alice, 'v2', await picture(30, 20).png().toBuffer()))
  await alice.postStatus('with a file', { media_ids: [file.id] })
  await ask(browser)
  const link = await waitForLink(browser)
  const { location } = await browser.get(link)
  const signed = new URL(location)
  assert.equal(signed.origin, new URL(bucket.url).origin)
  assert.equal(signed.searchParams.get('X-Amz-Expires'), '300')
  const response = await fetch(signed)
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="archive-/)
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  assert.deepEqual(
    [...files.keys()].map(name => name.replace(/\d+/, 'N')),
    ['actor.json', 'outbox.json', 'likes.json', 'bookmarks.json', 'media_attachments/N.png'],
  )
  assert.equal((await browser.get(link.replace('download', 'archive.zip'))).status, 404)
})
