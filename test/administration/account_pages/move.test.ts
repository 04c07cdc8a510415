import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { loggedActions, readText, staffMember } from '../staff_fixtures.ts'

test('an administrator moves the account of a user, and repeats the move', async t => {
  const server = await sharedServer()
  const staff = await staffMember(t, server, 'owner')
  const [old, fresh, other] = [
    await person(server, 'old'),
    await person(server, 'fresh'),
    await person(server, 'other'),
  ]
  t.after(() => Promise.all([old, fresh, other].map(one => one.close())))
  const path = `/admin/accounts/${old.id}`
  const move = async (fields: Record<string, string>): Promise<string> => {
    const page = await staff.browser.get(path)
    const response = await staff.browser.submit(page, `${path}/move`, fields)
    assert.ok([303, 422].includes(response.status), String(response.status))
    return readText(response.status === 422 ? response : await staff.browser.get(response.location))
  }
  const redirect = async (): Promise<unknown> =>
    (await sql(server, 'select moved_to_account_id::text as id from accounts where id = $1', [old.id]))[0]?.['id']
  const target = fresh.username
  assert.match(await move({ target }), /confirm that you are sure/)
  assert.match(await move({ target: 'nobody.at.all', sure: '1' }), /The other account is not known here/)
  assert.match(await move({ target: '', sure: '1' }), /The account has never been moved/)
  assert.match(await move({ target, sure: '1' }), /The other account does not name this account as an alias yet/)
  assert.equal(await redirect(), null)
  await sql(
    server,
    'insert into account_aliases (account_id, alias_account_id) select id, $1 from accounts where id = any ($2)',
    [old.id, [fresh.id, other.id]],
  )
  assert.match(await move({ target: `@${target}`, sure: '1' }), new RegExp(`being moved to ${target}`))
  assert.equal(await redirect(), fresh.id)
  assert.match(await move({ target: other.username, sure: '1' }), /The account redirects to a different account/)
  assert.match(await move({ target: other.username, sure: '1', force: '1' }), /less than 30 days ago/)
  assert.match(await move({ target: '', sure: '1' }), new RegExp(`being moved to ${target}`))
  await sql(server, 'update accounts set moved_to_account_id = $1 where id = $2', [other.id, old.id])
  assert.match(await move({ target: '', sure: '1' }), /does not redirect to the target of its last move any more/)
  assert.match(await move({ target: '', sure: '1', force: '1' }), new RegExp(`being moved to ${target}`))
  assert.deepEqual(await loggedActions(server, staff.person), Array(3).fill(`migrate Account ${old.username}`))
})

test('only those who may delete data move an account, and none above their rank', async t => {
  const server = await sharedServer()
  const [moderator, admin] = [await staffMember(t, server, 'moderator'), await staffMember(t, server, 'admin')]
  const [alice, owner] = [await person(server, 'alice'), await person(server, 'owner', { roleId: 3 })]
  t.after(() => Promise.all([alice.close(), owner.close()]))
  const csrf = async ({ browser }: typeof admin): Promise<string> =>
    (await browser.get(`/admin/accounts/${alice.id}`)).forms[0]?.fields['authenticity_token'] ?? ''
  const send = async (staff: typeof admin, id: string): Promise<number> =>
    (
      await staff.browser.post(`/admin/accounts/${id}/move`, {
        authenticity_token: await csrf(staff),
        target: 'x',
        sure: '1',
      })
    ).status
  assert.equal(await send(moderator, alice.id), 403)
  assert.equal(await send(admin, owner.id), 403)
  assert.equal(await send(admin, alice.id), 303)
})
