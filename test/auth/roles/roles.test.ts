import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { assignRole, changeRole, createRole, deleteRole, findRole } from '../../../src/auth/roles/index.ts'
import { PERMISSIONS } from '../../../src/core/permissions.ts'
import { waitForEvent } from '../../accounts/waiting.ts'
import { directDatabase } from '../../support/direct.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

/** A user whose role, at this position, manages roles and users. */
async function steward(t: Test, server: TestServer, position = 50): Promise<Person & { role: string }> {
  const mask = PERMISSIONS.manage_roles | PERMISSIONS.manage_users
  const [role] = await sql(
    server,
    `insert into roles (name, position, permissions) values ('Steward', $1, $2) returning id::text`,
    [position, mask],
  )
  const made = await person(server, 'steward', { roleId: Number(role?.['id']) })
  t.after(() => made.close())
  return Object.assign(made, { role: String(role?.['id']) })
}

const refused = (message: string) => ({ code: 'validation', message: `Validation failed: ${message}` })
const forbidden = { code: 'notAllowed' }

test('a role is created and changed within the limits of the editor', async t => {
  const { server } = await people(t)
  const editor = await steward(t, server)
  const database = directDatabase(t, server)
  const create = (input: object) => createRole(database, editor.id, { name: 'Helper', ...input })
  await assert.rejects(create({ name: '  ' }), refused("Name can't be blank"))
  await assert.rejects(
    create({ permissions: PERMISSIONS.manage_reports }),
    refused('Permissions cannot include permissions your current role does not possess'),
  )
  await assert.rejects(create({ position: 51 }), refused('Position cannot be higher than your current role'))
  await assert.rejects(create({ color: 'green' }), refused('Color is not a valid hex color'))
  await assert.rejects(create({ collection_limit: -1 }), /Collection limit must be a whole number/)
  const id = await create({ position: 50, color: 'abc', permissions: PERMISSIONS.manage_users })
  const { members, ...role } = (await findRole(database, id)) ?? {}
  assert.equal(members, 0)
  assert.deepEqual(role, {
    id,
    name: 'Helper',
    color: '#abc',
    position: 50,
    permissions: '1024',
    highlighted: false,
    require_2fa: false,
    collection_limit: 10,
  })
  // Its position equals the editor's now.
  await assert.rejects(changeRole(database, editor.id, id, { name: 'Other' }), forbidden)
  await changeRole(database, null, id, { position: 49 })
  await changeRole(database, editor.id, id, { name: 'Other' })
  await assert.rejects(changeRole(database, editor.id, '999999', {}), { code: 'notFound' })
  const log = await sql(
    server,
    `select account_id::text, action, target_name from admin_action_logs
     where target_type = 'UserRole' and target_id = $1 order by id`,
    [id],
  )
  assert.deepEqual(
    log.map(entry => [entry['account_id'], entry['action'], entry['target_name']]),
    [
      [editor.id, 'create', 'Helper'],
      [null, 'update', 'Helper'],
      [editor.id, 'update', 'Other'],
    ],
  )
})

test('of the own role, the rank and the rights are fixed', async t => {
  const { server } = await people(t)
  const editor = await steward(t, server)
  const database = directDatabase(t, server)
  const change = (input: object) => changeRole(database, editor.id, editor.role, input)
  const fixed = 'cannot be changed with your current role'
  await assert.rejects(change({ position: 4 }), refused(`Position ${fixed}`))
  await assert.rejects(change({ permissions: 0 }), refused(`Permissions ${fixed}`))
  await assert.rejects(change({ require_2fa: true }), refused(`Require 2fa ${fixed}`))
  await change({ name: 'Warden', position: 50, highlighted: true })
  await assert.rejects(deleteRole(database, editor.id, editor.role), forbidden)
})

test('an administrator may require a second factor of the own role', async t => {
  const { server } = await people(t)
  const database = directDatabase(t, server)
  const [role] = await sql(
    server,
    `insert into roles (name, position, permissions) values ('A', 70, 1) returning id::text`,
  )
  const administrator = await person(server, 'administrator', { roleId: Number(role?.['id']) })
  await changeRole(database, administrator.id, String(role?.['id']), { require_2fa: true })
})

test('the base role holds only permissions that are safe', async t => {
  const { server } = await people(t)
  const database = directDatabase(t, server)
  const change = (input: object) => changeRole(database, null, '-99', input)
  await assert.rejects(
    change({ permissions: PERMISSIONS.invite_users | PERMISSIONS.manage_users }),
    refused('Permissions include permissions that are not safe for the base role'),
  )
  await assert.rejects(change({ position: 3 }), /Position cannot be changed for the base role/)
  await change({ permissions: PERMISSIONS.invite_users, position: -1, name: '' })
  await assert.rejects(deleteRole(database, null, '-99'), forbidden)
})

test('roles cannot be changed without the permission to manage roles', async t => {
  const { server, alice } = await people(t, 'alice')
  const database = directDatabase(t, server)
  const moderator = await person(server, 'moderator', { roleId: 1 })
  for (const one of [alice, moderator]) {
    await assert.rejects(createRole(database, one.id, { name: 'X', position: -5 }), forbidden)
    await assert.rejects(changeRole(database, one.id, '-99', {}), forbidden)
    await assert.rejects(deleteRole(database, one.id, '1'), forbidden)
    await assert.rejects(assignRole(database, one.id, alice.id, null), forbidden)
  }
})

test('roles are assigned to users below the editor, up to its own position', async t => {
  const { server, alice } = await people(t, 'alice')
  const editor = await steward(t, server)
  const database = directDatabase(t, server)
  const peer = await person(server, 'peer', { roleId: Number(editor.role) })
  await assert.rejects(assignRole(database, editor.id, peer.id, null), forbidden)
  await assert.rejects(assignRole(database, editor.id, editor.id, null), forbidden)
  await assert.rejects(
    assignRole(database, editor.id, alice.id, '3'),
    refused('Role cannot be higher than your current role'),
  )
  await assert.rejects(assignRole(database, editor.id, alice.id, '999999'), { code: 'notFound' })
  await assert.rejects(assignRole(database, editor.id, '999999', '1'), { code: 'notFound' })
  const role = async (): Promise<unknown> =>
    ((await alice.get('/api/v1/accounts/verify_credentials')).json as { role: { name: string } }).role.name
  assert.equal(await role(), '')
  await assignRole(database, editor.id, alice.id, '1')
  await waitForEvent(server, `e.kind = 'account.changed' and e.account_id = $1`, [alice.id])
  assert.equal(await role(), 'Moderator')
  const log = await sql(server, `select action, target_type from admin_action_logs where target_name = $1`, [
    alice.username,
  ])
  assert.deepEqual(log, [{ action: 'change_role', target_type: 'User' }])
  await assignRole(database, editor.id, alice.id, '1')
  assert.equal((await sql(server, `select from admin_action_logs where target_name = $1`, [alice.username])).length, 1)
})

test('members of a deleted role have the base role', async t => {
  const { server } = await people(t)
  const editor = await steward(t, server)
  const database = directDatabase(t, server)
  const id = await createRole(database, editor.id, {
    name: 'Short',
    position: 2,
    permissions: PERMISSIONS.manage_users,
  })
  const member = await person(server, 'member', { roleId: Number(id) })
  await deleteRole(database, editor.id, id)
  assert.deepEqual(await sql(server, 'select role_id from users where account_id = $1', [member.id]), [
    { role_id: null },
  ])
  assert.equal(await findRole(database, id), undefined)
})
