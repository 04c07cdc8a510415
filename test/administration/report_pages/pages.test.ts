import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql, type Person } from '../../support/people.ts'
import { sharedServer, type ServerAddress } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/reports'

async function report(reporter: Person, target: Person, more: Record<string, unknown> = {}): Promise<string> {
  const { status, json, text } = await reporter.post('/api/v1/reports', { account_id: target.id, ...more })
  assert.equal(status, 200, text)
  return (json as { id: string }).id
}

async function pair(server: ServerAddress, close: (done: () => Promise<unknown>) => void): Promise<[Person, Person]> {
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  close(() => Promise.all([alice.close(), bob.close()]))
  return [alice, bob]
}

test('reports need the permission to manage reports', async t => {
  const server = await sharedServer()
  const [alice, bob] = await pair(server, done => t.after(done))
  const id = await report(alice, bob)
  await assertOnlyStaff(t, server, [PATH, `${PATH}/${id}`])
  const { browser } = await staffMember(t, server, 'moderator')
  assert.equal((await browser.get(`${PATH}/999999`)).status, 404)
  for (const action of ['resolve', 'assign_to_self', 'category', 'notes'])
    await assertCsrf(browser, `${PATH}/${id}/${action}`)
})

test('a report is assigned, categorized, noted, resolved and reopened', async t => {
  const server = await sharedServer()
  const { person: moderator, browser } = await staffMember(t, server, 'moderator')
  const [alice, bob] = await pair(server, done => t.after(done))
  const [rule] = await sql(server, `insert into rules (text) values ('Be <kind>') returning id::text`)
  const id = await report(alice, bob, { comment: 'Please <look>' })
  const path = `${PATH}/${id}`
  assert.match(readText(await browser.get(PATH)), new RegExp(`Report #${id} Other Open .*Please <look>`))
  const send = async (
    action: string,
    fields: Record<string, string | string[]> = {},
    method?: string,
  ): Promise<string> => {
    const response = await browser.submit(await browser.get(path), `${path}/${action}`, fields, method)
    return readText(response.status === 422 ? response : await browser.get(response.location))
  }
  assert.match(await send('assign_to_self'), new RegExp(`@${moderator.username} handles it`))
  assert.ok(readText(await browser.get(`${PATH}?mine=1`)).includes(`Report #${id}`))
  await send('unassign')
  assert.match(readText(await browser.get(`${PATH}?mine=1`)), /There are no reports/)
  assert.match(await send('category', { category: 'violation' }), /does not reference valid rules/)
  assert.match(await send('category', { category: 'nonsense' }), /not included in the list/)
  const categorized = await send('category', { category: 'violation', 'rule_ids[0]': String(rule?.['id']) })
  assert.match(categorized, /Breaks rules .*Be <kind>/)
  assert.match(await send('category', { category: 'spam' }), /Category Spam/)
  assert.match(await send('notes', { content: 'I know <him>' }), /I know <him>/)
  assert.match(await send('notes', { content: '' }), /Note can't be blank/)
  assert.match(await send('notes', { content: 'kept '.repeat(500) }), /Note is too long.*kept kept/)
  const [note] = await sql(server, 'select id::text from moderation_notes where report_id = $1', [id])
  assert.match(await send(`notes/${String(note?.['id'])}`, {}, 'delete'), /There are no notes/)
  assert.match(await send('resolve'), /Resolved by/)
  assert.ok(!readText(await browser.get(PATH)).includes(`Report #${id}`))
  assert.ok(readText(await browser.get(`${PATH}?state=resolved`)).includes(`Report #${id}`))
  const { json } = await moderator.get(`/api/v1/admin/reports/${id}`)
  assert.deepEqual(
    [(json as { action_taken: boolean }).action_taken, (json as { category: string }).category],
    [true, 'spam'],
  )
  await send('reopen')
  for (const [query, found] of [
    [`target_account_id=${bob.id}`, true],
    [`account_id=${bob.id}`, false],
    [`target_domain=nowhere.example`, false],
    ['state=nonsense&account_id=x', true],
  ] as const)
    assert.equal(readText(await browser.get(`${PATH}?${query}`)).includes(`Report #${id}`), found, query)
  const logged = (await loggedActions(server, moderator)).map(entry => entry.split(' ')[0])
  for (const action of ['assigned_to_self', 'unassigned', 'update', 'resolve', 'reopen'])
    assert.ok(logged.includes(action), action)
})

test('reported statuses are deleted and kept as evidence; the account gets a strike', async t => {
  const server = await sharedServer()
  const { person: moderator, browser } = await staffMember(t, server, 'moderator')
  const [alice, bob] = await pair(server, done => t.after(done))
  const [bad, other] = [await bob.postStatus('Something <bad>'), await bob.postStatus('Something else')]
  const id = await report(alice, bob, { status_ids: [bad.id] })
  const path = `${PATH}/${id}`
  const page = await browser.get(path)
  assert.ok(readText(page).includes('Something <bad>') && !readText(page).includes('Something else'))
  const foreign = await browser.submit(page, `${path}/statuses`, {
    change: 'delete_statuses',
    sure: '1',
    'status_ids[]': other.id,
  })
  assert.match(readText(await browser.get(foreign.location)), /Nothing was selected/)
  const chosen = { change: 'delete_statuses', 'status_ids[]': bad.id, text: 'No' }
  const unsure = await browser.submit(page, `${path}/statuses`, chosen)
  assert.match(readText(await browser.get(unsure.location)), /Please confirm that you are sure/)
  assert.equal((await alice.get(`/api/v1/statuses/${bad.id}`)).status, 200)
  await browser.submit(page, `${path}/statuses`, { ...chosen, sure: '1' })
  assert.equal((await alice.get(`/api/v1/statuses/${bad.id}`)).status, 404)
  const after = readText(await browser.get(path))
  assert.ok(
    after.includes('recorded as a strike') && after.includes('Something <bad>') && after.includes('Reopen'),
    after,
  )

  const second = await report(alice, bob)
  const form = await browser.get(`${PATH}/${second}`)
  await browser.submit(form, `${PATH}/${second}/action`, { type: 'silence', text: 'Quiet', notify: '1' })
  const { json } = await moderator.get(`/api/v1/admin/accounts/${bob.id}`)
  assert.equal((json as { silenced: boolean }).silenced, true)
  assert.match(readText(await browser.get(`${PATH}/${second}`)), /Resolved by/)
  const [strike] = await sql(server, 'select report_id::text, text from account_warnings where action = $1', [
    'silence',
  ])
  assert.deepEqual(strike, { report_id: second, text: 'Quiet' })
})

test('moderators cannot act on accounts of higher rank', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const { person: admin } = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const id = await report(alice, admin)
  const page = await browser.get(`${PATH}/${id}`)
  assert.ok(!page.forms.some(({ action }) => action === `${PATH}/${id}/action`))
  const token = page.forms[0]?.fields['authenticity_token'] ?? ''
  const response = await browser.post(`${PATH}/${id}/action`, { authenticity_token: token, type: 'suspend' })
  assert.equal(response.status, 403)
})

test('the page of a report shows the reported collections', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const [alice, bob] = await pair(server, done => t.after(done))
  const made = await bob.post('/api/v1/collections', {
    name: 'Bad <people>',
    description: 'All of <them>',
    sensitive: false,
    discoverable: true,
  })
  assert.equal(made.status, 200, made.text)
  const { collection } = made.json as { collection: { id: string } }
  const id = await report(alice, bob, { collection_ids: [collection.id] })
  const page = await browser.get(`${PATH}/${id}`)
  assert.match(readText(page), /Reported collections Bad <people> 0 accounts All of <them>/)
  assert.ok(page.text.includes(`href="/collections/${collection.id}"`))
  assert.doesNotMatch(readText(await browser.get(`${PATH}/${await report(bob, alice)}`)), /Reported collections/)
})

test('a rule that is deleted later stays violated when the category is saved again', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const [alice, bob] = await pair(server, done => t.after(done))
  const [rule] = await sql(server, `insert into rules (text) values ('No <spam>') returning id::text`)
  const id = await report(alice, bob, { rule_ids: [String(rule?.['id'])] })
  await sql(server, 'update rules set deleted_at = now() where id = $1', [rule?.['id']])
  const path = `${PATH}/${id}`
  const saved = await browser.submit(await browser.get(path), `${path}/category`)
  assert.deepEqual([saved.status, saved.location], [303, path])
  assert.match(readText(await browser.get(path)), /Category Breaks rules Broken rules No <spam> Forwarded/)
})

test('reports are found by the international name of a server', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [row] = await sql(
    server,
    `with target as (
       insert into accounts (username, domain, uri)
       values ($2, 'xn--bcher-kva.example', 'https://xn--bcher-kva.example/' || $2) returning id
     )
     insert into reports (account_id, target_account_id, status_ids, category)
     select $1, target.id, '{}', 'other' from target returning id::text`,
    [alice.id, `eve${alice.id.slice(-6)}`],
  )
  const list = readText(await browser.get(`${PATH}?target_domain=${encodeURIComponent('Bücher.example')}`))
  assert.ok(list.includes(`Report #${String(row?.['id'])} `), list)
})
