import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForFederationJobs } from '../../federation/federation_fixtures.ts'
import { waitUntilProcessed } from '../../federation/receive/receive_fixtures.ts'
import { entity, picture, upload } from '../../media/attachments/media_fixtures.ts'
import { localUri, startPeer } from '../../support/federation/peer.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const pathOf = ({ id }: { id: string }): string => `/admin/statuses/${id}`

async function withPicture(author: Person, text: string, description: string): Promise<{ id: string }> {
  const bytes = await picture(64, 48).png().toBuffer()
  const { id } = entity(await upload(author, 'v2', bytes, { description }))
  return author.postStatus(text, { media_ids: [id] })
}

test('the page of a status shows its versions, media, reports, strikes and thread to the staff', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const root = await bob.postStatus('The <root>', { visibility: 'unlisted' })
  const post = await withPicture(alice, 'First <version>', 'A red wall')
  await sql(server, 'update statuses set in_reply_to_id = $2, in_reply_to_account_id = $3 where id = $1', [
    post.id,
    root.id,
    bob.id,
  ])
  const plain = readText(await browser.get(pathOf(post)))
  assert.ok(!plain.includes('Versions'), 'never edited')
  assert.match(plain, /The <root> .*First <version> .*Nobody has reported it\..*No strike is about it/)
  await alice.put(`/api/v1/statuses/${post.id}`, { status: 'Second version', media_ids: [] })
  await bob.postStatus('Quiet <reply>', { in_reply_to_id: post.id, visibility: 'unlisted' })
  await bob.postStatus('Only for <alice>', { in_reply_to_id: post.id, visibility: 'direct' })
  const report = entity(await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [post.id] }))
  await sql(
    server,
    `insert into account_warnings (target_account_id, action, status_ids) values ($1, 'none', array[$2::bigint])`,
    [alice.id, post.id],
  )
  const page = await browser.get(pathOf(post))
  const text = readText(page)
  assert.equal(page.status, 200)
  assert.match(text, /In reply to .*Unlisted .*The <root>/)
  assert.match(text, /Versions .*Second version .*First <version> .*1 attachment: A red wall/)
  assert.match(text, new RegExp(`Report #${report.id} Open .*Strikes Warning`))
  assert.match(text, /Replies .*Unlisted .*Quiet <reply>/)
  assert.ok(!text.includes('Only for'), 'meant for alice')
  assert.ok(page.text.includes(`href="/admin/reports/${report.id}"`))
  for (const path of [`/admin/accounts/${alice.id}/statuses`, `/admin/reports/${report.id}`])
    assert.ok((await browser.get(path)).text.includes(`href="${pathOf(post)}"`), `linked from ${path}`)
  const inOtherClients = `/admin/accounts/${alice.id}/statuses/${post.id}`
  assert.equal((await browser.get(inOtherClients)).location, pathOf(post))
  await assertOnlyStaff(t, server, [inOtherClients])
  const boost = entity(await bob.post(`/api/v1/statuses/${post.id}/reblog`))
  assert.deepEqual((await browser.get(pathOf(boost))).location, pathOf(post), 'a boost leads to what it boosts')
})

test('a reported post of another server for people whom it does not mention has a page that says so', async t => {
  const { alice, server } = await people(t, 'alice')
  const { browser } = await staffMember(t, server, 'moderator')
  const carol = (await startPeer(t)).actor('carol')
  const note = carol.note('Between us', { to: [localUri(server, alice.id)], cc: [] })
  await carol.send(server, carol.create(note))
  await waitUntilProcessed(server, alice, carol)
  await waitForFederationJobs(t, server)
  const [row] = await sql(server, 'select id::text, account_id::text as author from statuses where uri = $1', [note.id])
  const [id, author] = [String(row?.['id']), String(row?.['author'])]
  await alice.post('/api/v1/reports', { account_id: author, status_ids: [id] })
  const page = await browser.get(pathOf({ id }))
  assert.equal(page.status, 200)
  assert.match(readText(page), /Between us .*Visibility Chosen people only/)
})

test('the page of a status in Cantonese, whose code Intl refuses, names the language', async t => {
  const { alice, server } = await people(t, 'alice')
  const { browser } = await staffMember(t, server, 'moderator')
  const { id } = await alice.postStatus('你好', { language: 'zh-YUE' })
  const page = await browser.get(pathOf({ id }))
  assert.equal(page.status, 200)
  assert.match(readText(page), /Language Cantonese/)
})

test('a status is marked as sensitive, then deleted, on its page, with strikes', async t => {
  const server = await sharedServer()
  const { browser, person: moderator } = await staffMember(t, server, 'moderator')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const post = await withPicture(alice, 'With a picture', '')
  const path = pathOf(post)
  const act = async (change: string, fields: Record<string, string> = {}): Promise<string> => {
    const shown = await browser.get(path)
    const done = await browser.submit(shown, `${path}/action`, { change, text: 'Stop <it>', ...fields })
    assert.deepEqual([done.status, done.location], [303, path])
    return readText(await browser.get(path))
  }
  assert.match(await act('mark_statuses_as_sensitive'), /recorded as a strike.*Sensitive yes/)
  const { json } = await alice.get(`/api/v1/statuses/${post.id}`)
  assert.equal((json as { sensitive: boolean }).sensitive, true)
  assert.match(await act('mark_statuses_as_sensitive'), /None of these posts could be changed/)
  assert.match(await act('delete_statuses'), /Please confirm that you are sure/)
  assert.equal((await alice.get(`/api/v1/statuses/${post.id}`)).status, 200)
  assert.match(
    await act('delete_statuses', { sure: '1' }),
    /recorded as a strike.*This post is deleted.*With a picture/,
  )
  assert.equal((await alice.get(`/api/v1/statuses/${post.id}`)).status, 404)
  assert.equal((await browser.get(path)).forms.filter(form => form.action === `${path}/action`).length, 0)
  const logged = (await loggedActions(server, moderator)).join('\n')
  assert.match(logged, /delete_statuses|mark_statuses_as_sensitive|AccountWarning/)
  const log = await browser.get(`/admin/accounts/${alice.id}`)
  assert.match(readText(log), /Posts deleted .*Stop <it>/)
})

test('moderators cannot act on the statuses of the staff of their rank or above', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const { person: admin } = await staffMember(t, server, 'admin')
  const post = await admin.postStatus('By an administrator')
  const path = pathOf(post)
  const fields = { change: 'delete_statuses', sure: '1' }
  const refused = await browser.submit(await browser.get(path), `${path}/action`, fields)
  assert.equal(refused.status, 403)
  assert.equal((await admin.get(`/api/v1/statuses/${post.id}`)).status, 200)
})

test('moderators report statuses that they find on the page of an account', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const [one, two] = [await alice.postStatus('One'), await alice.postStatus('Two', { visibility: 'unlisted' })]
  const foreign = await bob.postStatus('Not hers')
  const path = `/admin/accounts/${alice.id}/statuses`
  const page = await browser.get(path)
  const report = (ids: string[]) => browser.submit(page, `${path}/batch`, { change: 'report', 'status_ids[]': ids })
  const done = await report([one.id, two.id, foreign.id])
  assert.match(done.location, /^\/admin\/reports\/\d+$/)
  const text = readText(await browser.get(done.location))
  assert.ok(text.includes('One') && text.includes('Two') && !text.includes('Not hers'), text)
  assert.equal((await report([foreign.id])).location, path, 'none of them is hers')
})

test('the page of a status needs the permission to handle reports or users', async t => {
  const server = await sharedServer()
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const post = await alice.postStatus('Hello')
  await assertOnlyStaff(t, server, [pathOf(post)])
  const { browser } = await staffMember(t, server, 'moderator')
  await assertCsrf(browser, `${pathOf(post)}/action`, { change: 'delete_statuses' })
  for (const path of ['/admin/statuses/1', '/admin/statuses/x', `/admin/statuses/${'9'.repeat(30)}`])
    assert.equal((await browser.get(path)).status, 404, path)
})

test('staff sees a private or direct status only if it is reported, in a strike, or meant for them', async t => {
  const server = await sharedServer()
  const { browser, person: moderator } = await staffMember(t, server, 'moderator')
  const { browser: owner } = await staffMember(t, server, 'owner')
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const hidden = await alice.postStatus(`@${bob.username} between us`, { visibility: 'direct' })
  const quiet = await alice.postStatus('quietly said', { visibility: 'private' })
  const mine = await alice.postStatus(`@${moderator.username} for you`, { visibility: 'direct' })
  const list = `/admin/accounts/${alice.id}/statuses`
  const shown = async (): Promise<string[]> => {
    const text = readText(await browser.get(list))
    return ['between us', 'quietly said', 'for you'].filter(part => text.includes(part))
  }
  assert.deepEqual(await shown(), ['for you'])
  for (const { id } of [hidden, quiet]) {
    for (const staff of [browser, owner]) assert.equal((await staff.get(pathOf({ id }))).status, 404)
    const page = await browser.get(list)
    for (const change of ['report', 'delete_statuses']) {
      const tried = await browser.submit(page, `${list}/batch`, { change, sure: '1', 'status_ids[]': id })
      assert.equal(tried.location, list)
      assert.match(readText(await browser.get(list)), /None of these posts could be changed/)
    }
  }
  assert.equal((await browser.get(pathOf(mine))).status, 200)
  entity(await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [hidden.id] }))
  await sql(
    server,
    `insert into account_warnings (target_account_id, action, status_ids) values ($1, 'none', array[$2::bigint])`,
    [alice.id, quiet.id],
  )
  assert.deepEqual(await shown(), ['between us', 'quietly said', 'for you'])
  for (const post of [hidden, quiet]) assert.equal((await browser.get(pathOf(post))).status, 200)
})
