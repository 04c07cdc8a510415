import assert from 'node:assert/strict'
import { test } from 'tap'
import { PERMISSION_CATEGORIES, PERMISSIONS } from '../../../src/core/permissions.ts'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, ROLES, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/roles'
const BASE = `${PATH}/-99`

test('roles need the permission to manage roles', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`, `${PATH}/1`, BASE])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { 'role[name]': 'Stolen' })
  const strange = ['999999', 'x', '1e3', '-1', '9'.repeat(30)].map(
    async id => (await browser.get(`${PATH}/${id}`)).status,
  )
  assert.deepEqual(await Promise.all(strange), [404, 404, 404, 404, 404])
  assert.equal((await browser.get(`${PATH}/${ROLES.owner}`)).status, 403, 'a higher role')
})

test('every permission is in one category', async () => {
  assert.deepEqual(Object.values(PERMISSION_CATEGORIES).flat().toSorted(), Object.keys(PERMISSIONS).toSorted())
})

test('a role is created, changed and deleted; members and the audit log follow', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)
  const wrong = await browser.submit(form, PATH, {
    'role[name]': ' ',
    'role[color]': 'red',
    'role[position]': '1.5',
    'role[collection_limit]': '-1',
  })
  assert.equal(wrong.status, 422)
  const text = readText(wrong)
  for (const error of ["can't be blank", 'not a valid hex color', 'from -2147483647 to', 'from 0 to'])
    assert.ok(text.includes(error), error)
  const elevated = await browser.submit(form, PATH, {
    'role[name]': 'Cheat',
    'role[position]': '101',
    'role[permissions][special][0]': 'administrator',
  })
  assert.match(readText(elevated), /cannot be higher than your current role.*cannot include permissions your current/)

  const created = await browser.submit(form, PATH, {
    'role[name]': 'Helper',
    'role[color]': '6364ff',
    'role[position]': '5',
    'role[highlighted]': '1',
    'role[permissions][moderation][0]': 'manage_reports',
    'role[permissions][administration][0]': 'manage_rules',
  })
  assert.deepEqual([created.status, created.location], [303, PATH])
  const [row] = await sql(
    server,
    `select id::text, color, position, permissions::text, highlighted, require_2fa, collection_limit
     from roles where name = 'Helper'`,
  )
  const id = String(row?.['id'])
  assert.deepEqual(
    { ...row, id },
    {
      id,
      color: '#6364ff',
      position: 5,
      permissions: String(PERMISSIONS.manage_reports | PERMISSIONS.manage_rules),
      highlighted: true,
      require_2fa: false,
      collection_limit: 10,
    },
  )
  assert.match(readText(await browser.get(PATH)), /The role has been created.*Helper 5 0 2 permissions Highlighted/)

  const member = await staffMember(t, server, 'moderator')
  await sql(server, 'update users set role_id = $1 where id = $2', [id, member.person.userId])
  const edit = await browser.get(`${PATH}/${id}`)
  assert.match(edit.text, /value="manage_rules" checked/)
  await browser.submit(edit, `${PATH}/${id}`, { 'role[permissions][administration][1]': null }, 'put')
  const [changed] = await sql(server, 'select permissions::text from roles where id = $1', [id])
  assert.equal(changed?.['permissions'], String(PERMISSIONS.manage_reports))
  await browser.submit(edit, `${PATH}/${id}`, {}, 'delete')
  const [left] = await sql(server, 'select role_id from users where id = $1', [member.person.userId])
  assert.equal(left?.['role_id'], null)
  assert.deepEqual(await loggedActions(server, person), [
    'create UserRole Helper',
    'update UserRole Helper',
    'destroy UserRole Helper',
  ])
})

test('users cannot remove permissions from their own role; the base role has harmless ones only', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const own = `${PATH}/${ROLES.admin}`
  const page = await browser.get(own)
  assert.match(readText(page), /This is your own role/)
  assert.ok(!page.forms.some(({ action, fields }) => action === own && fields['_method'] === 'delete'))
  const refused = await browser.submit(page, own, { 'role[position]': '99' }, 'put')
  assert.deepEqual(
    [refused.status, readText(refused).includes('cannot be changed with your current role')],
    [422, true],
  )
  assert.equal((await browser.submit(page, own, { 'role[color]': '#123456' }, 'put')).status, 303)
  const base = await browser.get(BASE)
  assert.ok(!base.text.includes('value="manage_users"'))
  const unsafe = await browser.submit(base, BASE, { 'role[permissions][moderation][0]': 'manage_users' }, 'put')
  assert.match(readText(unsafe), /not safe for the base role/)
  assert.equal((await browser.submit(base, BASE, { 'role[collection_limit]': '12' }, 'put')).status, 303)
  const [row] = await sql(server, 'select collection_limit, permissions::text from roles where id = -99')
  assert.deepEqual(row, { collection_limit: 12, permissions: String(PERMISSIONS.invite_users) })
})
