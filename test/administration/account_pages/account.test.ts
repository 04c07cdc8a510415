import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { person, sql, waitForEventLog, type Person } from '../../support/people.ts'
import { sharedServer, startServer, type ServerAddress } from '../../support/server.ts'
import { loggedActions, readText, staffMember, type StaffMember } from '../staff_fixtures.ts'

const pathOf = ({ id }: Person): string => `/admin/accounts/${id}`

async function targetOf(
  { browser }: StaffMember,
  target: Person,
): Promise<(action: string, fields?: Record<string, string>, method?: string) => Promise<string>> {
  const path = pathOf(target)
  return async (action, fields, method) => {
    const page = await browser.get(path)
    const response = await browser.submit(page, `${path}/${action}`, fields, method)
    assert.ok([303, 422].includes(response.status), `${action}: ${response.status}`)
    return readText(response.status === 422 ? response : await browser.get(response.location))
  }
}

const entityOf = async ({ person: staff }: StaffMember, { id }: Person): Promise<Record<string, unknown>> =>
  (await staff.get(`/api/v1/admin/accounts/${id}`)).json as Record<string, unknown>

test('a moderator takes action on an account and undoes it', async t => {
  const server = await sharedServer()
  const staff = await staffMember(t, server, 'moderator')
  const alice = await person(server, 'alice', { account: { note: 'Hi', note_html: '<p>I mill</p>' } })
  t.after(() => alice.close())
  await sql(server, `insert into warning_presets (title, text) values ('Spam', 'No spam.')`)
  const [preset] = await sql(server, 'select id::text from warning_presets')
  const send = await targetOf(staff, alice)
  const shown = readText(await staff.browser.get(pathOf(alice)))
  assert.ok(
    shown.includes('I mill') && shown.includes(`${alice.username}@example.com`) && shown.includes('Active'),
    shown,
  )

  const warned = await send('action', {
    type: 'none',
    text: 'Please <stop>.',
    warning_preset_id: String(preset?.['id']),
    notify: '1',
  })
  assert.match(warned, /recorded as a strike.*Warning .*No spam\. Please <stop>\./)
  assert.match(await send('action', { type: 'silence', notify: '' }), /Limited/)
  assert.equal((await entityOf(staff, alice))['silenced'], true)
  assert.match(await send('unsilence'), /Active/)
  await send('action', { type: 'sensitive' })
  await send('unsensitive')
  await send('action', { type: 'disable' })
  assert.equal((await alice.get('/api/v1/accounts/verify_credentials')).status, 403)
  await send('enable')
  await send('action', { type: 'suspend' })
  assert.equal((await entityOf(staff, alice))['suspended'], true)
  await send('unsuspend')
  assert.equal((await entityOf(staff, alice))['suspended'], false)
  const long = await send('action', { type: 'none', text: 'x'.repeat(10_001) }).catch((error: Error) => error.message)
  assert.match(long, /too long|422/)
  const page = readText(await staff.browser.get(pathOf(alice)))
  assert.match(page, /Audit log .*Lifted the suspension/)
  const actions = (await loggedActions(server, staff.person)).map(entry => entry.split(' ')[0])
  for (const action of [
    'silence',
    'unsilence',
    'sensitive',
    'unsensitive',
    'disable',
    'enable',
    'suspend',
    'unsuspend',
  ])
    assert.ok(actions.includes(action), action)
})

test('moderators cannot act on accounts whose role is not below their own', async t => {
  const server = await sharedServer()
  const staff = await staffMember(t, server, 'moderator')
  const { person: other } = await staffMember(t, server, 'moderator')
  const path = pathOf(other)
  const page = await staff.browser.get(path)
  assert.ok(!page.forms.some(({ action }) => action === `${path}/action`))
  const token = page.forms[0]?.fields['authenticity_token'] ?? ''
  for (const [action, fields] of [
    ['action', { type: 'silence' }],
    ['remove_avatar', {}],
    ['email', { email: 'new@example.com' }],
    ['reset_password', {}],
    ['purge', { sure: '1' }],
    ['role', { role_id: '2' }],
  ] as const) {
    const response = await staff.browser.post(`${path}/${action}`, { authenticity_token: token, ...fields })
    assert.equal(response.status, 403, action)
  }
  const admin = await staffMember(t, server, 'admin')
  const { person: equal } = await staffMember(t, server, 'admin')
  const own = (await admin.browser.get(pathOf(equal))).forms[0]?.fields['authenticity_token'] ?? ''
  for (const [action, fields] of [
    ['email', { email: 'new@example.com' }],
    ['disable_2fa', { sure: '1' }],
    ['memorialize', { sure: '1' }],
    ['role', { role_id: '' }],
  ] as const) {
    const response = await admin.browser.post(`${pathOf(equal)}/${action}`, { authenticity_token: own, ...fields })
    assert.equal(response.status, 403, action)
  }
})

/** What decides on a login. */
const loginOf = async (server: ServerAddress, { userId }: Person): Promise<Record<string, unknown> | undefined> =>
  (
    await sql(
      server,
      `select email, unconfirmed_email, confirmed_at is not null as confirmed, otp_enabled_at is not null as otp,
         password_hash, role_id::text from users where id = $1`,
      [userId],
    )
  )[0]

test('an administrator changes a login', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const staff = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice', { user: { otp_enabled_at: new Date(), otp_secret: 'x' } })
  const bob = await person(server, 'bob')
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const send = await targetOf(staff, alice)

  assert.match(await send('email', { email: 'not an address' }), /E-mail address is invalid/)
  assert.match(await send('email', { email: `${bob.username}@example.com` }), /has already been taken/)
  const address = `new_${alice.username}@example.com`
  assert.match(await send('email', { email: address.toUpperCase() }), /confirmation was sent/)
  await mail.email(address, /./)
  const notice = await mail.email(`${alice.username}@example.com`, /is about to change/)
  assert.ok(notice.text.includes(address))
  assert.equal((await loginOf(server, alice))?.['unconfirmed_email'], address)
  await send('resend')
  assert.match(await send('confirm'), /The address is confirmed/)
  assert.match(await send('disable_2fa'), /Please confirm that you are sure/)
  assert.equal((await loginOf(server, alice))?.['otp'], true)
  await send('disable_2fa', { sure: '1' })
  await mail.email(address, /Two-factor authentication .*off/)
  const login = await loginOf(server, alice)
  assert.deepEqual([login?.['email'], login?.['unconfirmed_email'], login?.['otp']], [address, null, false])
  assert.equal((await alice.get('/api/v1/accounts/verify_credentials')).status, 200)
  await send('reset_password')
  assert.notEqual((await loginOf(server, alice))?.['password_hash'], '-')
  assert.equal((await alice.get('/api/v1/accounts/verify_credentials')).status, 401)
  await mail.email(address, /password/i)

  await send('role', { role_id: '1' })
  assert.equal((await loginOf(server, alice))?.['role_id'], '1')
  const higher = await send('role', { role_id: '3' })
  assert.match(higher, /cannot be higher than your current role/)
  await send('role', { role_id: '' })
  assert.equal((await loginOf(server, alice))?.['role_id'], null)
  const logged = (await loggedActions(server, staff.person)).map(entry => entry.split(' ')[0])
  for (const action of ['change_email', 'resend', 'confirm', 'disable_2fa', 'reset_password', 'change_role'])
    assert.ok(logged.includes(action), action)
})

test('links that somebody else asked for end when an administrator sets a new password', async t => {
  const server = await sharedServer()
  const staff = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const token = randomBytes(8).toString('hex')
  await sql(
    server,
    `update users set unconfirmed_email = $3, confirmation_token_hash = sha256($2::bytea), confirmation_sent_at = now() where id = $1`,
    [alice.userId, Buffer.from(token), `thief_${token}@example.com`],
  )
  const send = await targetOf(staff, alice)
  await send('reset_password')
  await fetch(`${server.url}/auth/confirmation?confirmation_token=${token}`)
  const login = await loginOf(server, alice)
  assert.deepEqual([login?.['email'], login?.['unconfirmed_email']], [`${alice.username}@example.com`, null])
})

test('removing pictures, deleting data and memorializing need a confirmation', async t => {
  const server = await sharedServer()
  const staff = await staffMember(t, server, 'admin')
  const image = JSON.stringify({ key: 'avatars/x.png', static_key: 'avatars/x.png', type: 'image/png' })
  const alice = await person(server, 'alice', { account: { avatar: image, header: image, suspended_at: new Date() } })
  const bob = await person(server, 'bob')
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const send = await targetOf(staff, alice)
  await send('remove_avatar')
  await send('remove_header')
  const [pictures] = await sql(server, 'select avatar, header from accounts where id = $1', [alice.id])
  assert.deepEqual(pictures, { avatar: null, header: null })
  assert.match(await send('purge'), /confirm that you are sure/)
  assert.match(await send('purge', { sure: '1' }), /The data are being deleted/)
  const bury = await targetOf(staff, bob)
  assert.match(await bury('memorialize'), /confirm that you are sure/)
  assert.match(await bury('memorialize', { sure: '1' }), /is a memorial now.*Memorial/)
  assert.equal((await bob.get('/api/v1/accounts/verify_credentials')).status, 401)
  await waitForEventLog(staff.person)
  const { json } = await staff.person.get(`/api/v1/accounts/${bob.id}`)
  assert.equal((json as { memorial?: boolean }).memorial, true)
})

test('an administrator creates an account, requests its archive and deletes it', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const form = await browser.get('/admin/accounts/new')
  const faulty = await browser.submit(form, '/admin/accounts', { username: 'a b', email: 'nobody', password: 'short' })
  assert.equal(faulty.status, 422)
  assert.match(readText(faulty), /Username must contain only letters.*E-mail address is invalid.*Password is too short/)
  const given = { username: 'Newcomer', email: 'New@Example.com', confirmed: '1', role_id: '1' }
  const made = await browser.submit(form, '/admin/accounts', given)
  assert.match(readText(await browser.get(made.location)), /The account was created.*@Newcomer/)
  assert.match((await mail.email('new@example.com', /password/i)).text, /reset_password_token=/)
  const [user] = await sql(
    server,
    `select u.email, u.approved, u.confirmed_at is not null as confirmed, u.role_id::text, a.id::text
     from users u join accounts a on a.id = u.account_id where a.username = 'Newcomer'`,
  )
  const id = String(user?.['id'])
  assert.deepEqual(user, { email: 'new@example.com', approved: true, confirmed: true, role_id: '1', id })
  const taken = await browser.submit(form, '/admin/accounts', { ...given, email: 'other@example.com' })
  assert.match(readText(taken), /Username has already been taken/)
  const higher = { username: 'higher', email: 'higher@example.com', role_id: '3' }
  assert.equal((await browser.submit(form, '/admin/accounts', higher)).status, 422)
  assert.deepEqual(await sql(server, `select id from accounts where username = 'higher'`), [])

  const path = `/admin/accounts/${id}`
  const send = async (action: string, fields = {}) =>
    readText(await browser.get((await browser.submit(await browser.get(path), `${path}/${action}`, fields)).location))
  assert.match(await send('backup'), /The archive is being made/)
  await mail.email('new@example.com', /archive/i)
  assert.match(await send('delete'), /confirm that you are sure/)
  assert.match(await send('delete', { sure: '1' }), /The account is being deleted.*Being deleted since/)
  const left = `select a.deletion_requested_at is null as shown from accounts a join users u on u.account_id = a.id where a.id = ${id}`
  await becomes(() => sql(server, left), [], 'the deletion')
  const token = form.forms[0]?.fields['authenticity_token'] ?? ''
  const again = await browser.post(`${path}/delete`, { authenticity_token: token, sure: '1' })
  assert.equal(again.status, 403)
  assert.deepEqual(
    (await loggedActions(server, admin)).map(entry => entry.split(' ').slice(0, 2).join(' ')),
    ['create User', 'change_role User', 'backup User', 'destroy Account'],
  )
})

test('creating and deleting accounts need their permissions', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const target = await person(server, 'target')
  t.after(() => target.close())
  assert.equal((await browser.get('/admin/accounts/new')).status, 403)
  const page = await browser.get(pathOf(target))
  assert.ok(!page.forms.some(({ action }) => /\/(?:delete|follow_all|unfollow_all|backup)$/.test(action)))
  const token = page.forms[0]?.fields['authenticity_token'] ?? ''
  for (const action of ['delete', 'follow_all', 'unfollow_all', 'backup']) {
    const response = await browser.post(`${pathOf(target)}/${action}`, { authenticity_token: token, sure: '1' })
    assert.equal(response.status, 403, action)
  }
  const fields = { authenticity_token: token, username: 'x', email: 'x@example.com' }
  assert.equal((await browser.post('/admin/accounts', fields)).status, 403)
})

test('moderators leave notes for each other', async t => {
  const server = await sharedServer()
  const staff = await staffMember(t, server, 'moderator')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const send = await targetOf(staff, alice)
  assert.match(await send('notes', { content: ' ' }), /Note can't be blank/)
  // A browser counts a line break as one character, and sends two.
  const lines = Array.from({ length: 1000 }, () => 'x')
  const long = await staff.browser.get(pathOf(alice))
  assert.match(long.text, /<textarea[^>]* name="content"[^>]* maxlength="2000"/)
  const refused = await staff.browser.submit(long, `${pathOf(alice)}/notes`, { content: 'y'.repeat(2001) })
  assert.equal(refused.status, 422)
  const form = refused.forms.find(({ action }) => action === `${pathOf(alice)}/notes`)
  assert.equal(form?.fields['content'], 'y'.repeat(2001))
  assert.match(await send('notes', { content: lines.join('\r\n') }), /Added\./)
  const [kept] = await sql(server, 'delete from moderation_notes where target_account_id = $1 returning content', [
    alice.id,
  ])
  assert.equal(kept?.['content'], lines.join('\n'))
  assert.match(await send('notes', { content: 'Watch <her>' }), /Added\..*Watch <her>/)
  const [note] = await sql(server, 'select id::text from moderation_notes where target_account_id = $1', [alice.id])
  assert.match(await send(`notes/${String(note?.['id'])}`, {}, 'delete'), /Deleted\..*There are no notes/)
})

test('statuses of an account are deleted or marked as sensitive, with a strike', async t => {
  const server = await sharedServer()
  const staff = await staffMember(t, server, 'moderator')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [shown, hidden] = [
    await alice.postStatus('Something <public>'),
    await alice.postStatus('Only mine', { visibility: 'unlisted' }),
  ]
  const path = `${pathOf(alice)}/statuses`
  const page = await staff.browser.get(path)
  assert.match(readText(page), /Unlisted .*Only mine .*Something <public>/)
  const none = await staff.browser.submit(page, `${path}/batch`, {
    change: 'mark_statuses_as_sensitive',
    'status_ids[]': shown.id,
  })
  assert.match(readText(await staff.browser.get(none.location)), /None of these posts could be changed/)
  const chosen = { change: 'delete_statuses', 'status_ids[]': [shown.id, hidden.id], text: 'Gone' }
  const unsure = await staff.browser.submit(page, `${path}/batch`, chosen)
  assert.match(readText(await staff.browser.get(unsure.location)), /Please confirm that you are sure/)
  assert.equal((await alice.get(`/api/v1/statuses/${shown.id}`)).status, 200)
  const done = await staff.browser.submit(page, `${path}/batch`, { ...chosen, sure: '1' })
  assert.match(readText(await staff.browser.get(done.location)), /recorded as a strike.*There are no posts/)
  assert.equal((await alice.get(`/api/v1/statuses/${shown.id}`)).status, 404)
  assert.match(readText(await staff.browser.get(pathOf(alice))), /Posts deleted .*Gone/)
})

test('an error of a form is shown in the language of the page', async t => {
  const server = await sharedServer()
  const { browser, person: staff } = await staffMember(t, server, 'owner')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  await sql(server, `update users set locale = 'de' where id = $1`, [staff.userId])
  await sql(
    server,
    `insert into events (kind, account_id, data) values ('user.changed', $1, '{"change": "preferences"}')`,
    [staff.id],
  )
  await waitForEventLog(alice)
  const page = await browser.get(pathOf(alice))
  const refused = await browser.submit(page, `${pathOf(alice)}/notes`, { content: ' ' })
  assert.equal(refused.status, 422)
  assert.match(readText(refused), /Notiz (darf|muss)/)
})
