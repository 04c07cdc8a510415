import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { Browser, type Page } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { backdateForm, confirmationOf, fieldsOf, newName, signUp } from './form_fixtures.ts'

/* What the sign-up page asks in each mode, and what becomes of its answers. */

const fieldsOn = (page: Page): Record<string, string> =>
  page.forms.find(({ action }) => action === '/auth')?.fields ?? {}

const isApproved = async (server: TestServer, name: string): Promise<unknown> =>
  (await sql(server, 'select approved from users where email = $1', [`${name}@example.com`]))[0]?.['approved']

/** Creates invites of a person, by their codes. */
const invite = (server: TestServer, host: Person, codes: readonly string[], expires_at: Date | null = null) =>
  sql(server, 'insert into invites (user_id, code, expires_at) select $1, code, $3 from unnest($2::text[]) code', [
    host.userId,
    codes,
    expires_at,
  ])

test('the form has its fields in every mode, and asks for a reason and an age where they count', async t => {
  const always = [
    'authenticity_token',
    'user[account_attributes][username]',
    'user[account_attributes][display_name]',
    'user[email]',
    'user[password]',
    'user[password_confirmation]',
    'user[website]',
    'user[confirm_password]',
  ]
  const reason = 'user[invite_request_attributes][text]'
  for (const [settings, more, needed] of [
    [{ registrations_mode: 'open' }, [], null],
    [{ registrations_mode: 'open', min_age: 16 }, ['user[date_of_birth]'], null],
    [{ registrations_mode: 'approved', require_invite_text: true }, [reason], true],
    [{ registrations_mode: 'approved', require_invite_text: false }, [reason], false],
  ] as const) {
    const server = await startServer(t, { settings })
    const page = await new Browser(server).get('/auth/sign_up')
    assert.deepEqual(Object.keys(fieldsOn(page)).toSorted(), [...always, ...more].toSorted(), JSON.stringify(settings))
    assert.match(
      page.text,
      /<input[^>]*type="checkbox"[^>]*name="user\[agreement\]"|name="user\[agreement\]"[^>]*type="checkbox"/,
    )
    const [area] = /<textarea[^>]*>/.exec(page.text) ?? []
    assert.equal(area === undefined ? null : /\srequired/.test(area), needed)
  }
})

test('the form says who invited, and the newest invite counts', async t => {
  const server = await startServer(t, { settings: { registrations_mode: 'none' } })
  const [first, second] = [await person(server, 'first'), await person(server, 'second')]
  await invite(server, first, ['firstfir'])
  await invite(server, second, ['secondse'])
  const browser = new Browser(server)
  await browser.get('/invite/firstfir')
  const page = await browser.get('/invite/secondse')
  assert.ok(page.text.includes(`@${second.username}`) && !page.text.includes(`@${first.username}`))
  assert.equal(fieldsOn(page)['user[invite_code]'], 'secondse')
  await backdateForm(browser)
  assert.equal((await browser.submit(page, '/auth', fieldsOf(newName()))).location, '/auth/setup')
  const used = await sql(server, 'select code from invites where uses = 1')
  assert.deepEqual(used, [{ code: 'secondse' }])
})

test('with approval only the invite of somebody who may bypass it approves', async t => {
  const server = await startServer(t, { settings: { registrations_mode: 'approved' } })
  const [owner, member] = [await person(server, 'owner', { roleId: 3 }), await person(server, 'member')]
  await invite(server, owner, ['ownerown'])
  await invite(server, owner, ['tooooold'], new Date(0))
  await invite(server, member, ['membersx'])
  for (const [code, approved] of [
    [undefined, false],
    ['tooooold', false],
    ['membersx', false],
    ['ownerown', true],
  ] as const) {
    const name = newName()
    const given = { 'user[invite_request_attributes][text]': 'I like tapirs' }
    const made = await signUp(new Browser(server), name, code ? { ...given, 'user[invite_code]': code } : given)
    assert.deepEqual([made.status, await isApproved(server, name)], [303, approved], code)
  }
})

test('some e-mail domains and networks need approval although everybody may sign up', async t => {
  const server = await startServer(t, { settings: { registrations_mode: 'open' } })
  const ctl = await createCommandLine(t, server.databaseUrl)
  const admin = await person(server, 'admin', { roleId: 2 })
  await ctl.ok('email_domain_blocks', 'add', 'odd.example', '--allow-with-approval')
  await admin.post('/api/v1/admin/ip_blocks', { ip: '192.0.2.9', severity: 'sign_up_requires_approval' })
  for (const [domain, address, approved] of [
    ['fine.example', '192.0.2.8', true],
    ['odd.example', '192.0.2.8', false],
    ['fine.example', '192.0.2.9', false],
  ] as const) {
    const [browser, name] = [new Browser(server), newName()]
    const page = await browser.get('/auth/sign_up')
    await backdateForm(browser)
    const email = `${name}@${domain}`
    const fields = { ...fieldsOn(page), ...fieldsOf(name, { 'user[email]': email }) }
    const made = await browser.post('/auth', fields, {
      'x-forwarded-for': address,
      'accept-language': 'de-AT,en;q=0.5',
    })
    assert.equal(made.status, 303)
    const [row] = await sql(server, 'select approved, locale from users where email = $1', [email])
    assert.deepEqual(row, { approved, locale: 'de' }, `${domain} from ${address}`)
  }
})

test('who is too young is refused at the date of birth; of others only that they are old enough is stored', async t => {
  const server = await startServer(t, { settings: { registrations_mode: 'open', min_age: 16 } })
  const birth = (years: number): string => `${new Date().getUTCFullYear() - years}-01-01`
  const [young, old] = [newName(), newName()]
  const refused = await signUp(new Browser(server), young, { 'user[date_of_birth]': birth(15) })
  assert.equal(refused.status, 200)
  const [, place = ''] = /(<input[^>]*name="user\[date_of_birth\]"[^>]*>)/.exec(refused.text) ?? []
  assert.match(place, /aria-invalid="true"/)
  assert.equal(await isApproved(server, young), undefined)
  assert.equal((await signUp(new Browser(server), old, { 'user[date_of_birth]': birth(17) })).location, '/auth/setup')
  const [row] = await sql(
    server,
    'select age_verified_at is not null as verified, u::text as stored from users u where email = $1',
    [`${old}@example.com`],
  )
  assert.equal(row?.['verified'], true)
  assert.ok(!String(row?.['stored']).includes(birth(17)))
})

test('the first confirmation starts the home timeline, the confirmation of another address does not', async t => {
  const server = await startServer(t, {
    settings: { registrations_mode: 'open', auto_follow_accounts: ['guide'] },
  })
  const guide = await person(server, 'guide', { account: { username: 'guide' } })
  const [browser, name] = [new Browser(server), newName()]
  await signUp(browser, name)
  const followers = async (): Promise<number> =>
    (await sql(server, 'select from follows where target_account_id = $1', [guide.id])).length
  assert.equal(await followers(), 0)
  await browser.get(await confirmationOf(server, `${name}@example.com`))
  const deadline = Date.now() + 20_000
  while ((await followers()) === 0) assert.ok(Date.now() < deadline, 'nobody follows the guide')
  await sql(server, 'delete from follows')
  const moved = `moved_${name}@example.com`
  const page = await browser.get('/auth/edit')
  await browser.submit(page, '/auth', { 'user[email]': moved, 'user[current_password]': PASSWORD }, 'put')
  await browser.get(await confirmationOf(server, moved))
  const left = () => sql(server, `select 1 from graphile_worker.jobs where attempts < max_attempts and run_at <= now()`)
  while ((await left()).length > 0) assert.ok(Date.now() < deadline + 20_000, 'jobs are left')
  const [row] = await sql(server, 'select count(*)::integer as users from users where email = $1', [moved])
  assert.deepEqual([row?.['users'], await followers()], [1, 0])
})

test('a confirmation link leads on those who are signed in and confirmed', async t => {
  const server = await startServer(t)
  for (const [approved, location] of [
    [true, '/'],
    [false, '/auth/edit'],
  ] as const) {
    const alice = await personWithPassword(server, 'alice', { user: { approved } })
    const browser = new Browser(server)
    await browser.signIn(alice.email, PASSWORD)
    const page = await browser.get('/auth/confirmation?confirmation_token=any')
    assert.deepEqual([page.status, page.location], [302, location])
  }
  assert.equal((await new Client(server).get('/auth/confirmation')).status, 200)
})
