import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { decideAppeal } from '../../src/moderation/index.ts'
import { waitForEvent, waitForMail } from '../accounts/waiting.ts'
import { directDatabase } from '../support/direct.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { commandLine } from './moderation_fixtures.ts'

/** The account appeals against its latest strike; gives the appeal's id. */
async function appeal(server: TestServer, who: Person): Promise<string> {
  const [made] = await sql(
    server,
    `insert into appeals (account_id, account_warning_id, text)
     select w.target_account_id, w.id, 'it was not me' from account_warnings w
     where w.target_account_id = $1 order by w.id desc limit 1 returning id::text`,
    [who.id],
  )
  return String(made?.['id'])
}

const stateOf = async (server: TestServer, who: Person): Promise<Record<string, unknown> | undefined> => {
  const [row] = await sql(
    server,
    `select a.suspended_at is not null as suspended, a.silenced_at is not null as silenced,
       a.sensitized_at is not null as sensitized, u.disabled,
       (select bool_and(w.overruled_at is not null) from account_warnings w where w.target_account_id = a.id) as overruled
     from accounts a join users u on u.account_id = a.id where a.id = $1`,
    [who.id],
  )
  return row
}

async function setUp(t: Test) {
  const { server, alice } = await people(t, 'alice')
  return { server, alice, ctl: await commandLine(t, server) }
}

for (const action of ['disable', 'sensitive', 'silence', 'suspend'] as const) {
  test(`an approved appeal against ${action} reverses it, and the owner gets an e-mail`, async t => {
    const { server, alice, ctl } = await setUp(t)
    await ctl('moderation', 'act', alice.username, action, '--no-notify')
    const id = await appeal(server, alice)
    assert.match(
      await ctl('appeals', 'list'),
      new RegExp(`^${id} .*pending +${alice.username} +${action} +it was`, 'm'),
    )
    assert.equal(await ctl('appeals', 'approve', id), 'OK\n')
    const free = { suspended: false, silenced: false, sensitized: false, disabled: false, overruled: true }
    assert.deepEqual(await stateOf(server, alice), free)
    assert.match(await waitForMail(server, `${alice.username}@example.com`), /approved your appeal/)
    assert.doesNotMatch(await ctl('appeals', 'list'), new RegExp(`^${id} `, 'm'))
    assert.match(await ctl('appeals', 'list', '--all'), new RegExp(`^${id} .*approved`, 'm'))
  })
}

test('an approved appeal removes the mark from statuses', async t => {
  const { server, alice, ctl } = await setUp(t)
  const { id } = await alice.postStatus('a picture')
  await sql(server, `update statuses set sensitive = true, edited_at = now() where id = $1`, [id])
  await sql(
    server,
    `insert into account_warnings (target_account_id, action, status_ids)
     values ($1, 'mark_statuses_as_sensitive', array[$2::bigint])`,
    [alice.id, id],
  )
  await ctl('appeals', 'approve', await appeal(server, alice))
  await waitForEvent(server, `e.kind = 'status.updated' and e.status_id = $1`, [id])
  const read = (await alice.get(`/api/v1/statuses/${id}`)).json as { sensitive: boolean }
  assert.equal(read.sensitive, false)
})

test('a rejected appeal leaves the action, and the owner gets an e-mail', async t => {
  const { server, alice, ctl } = await setUp(t)
  await ctl('moderation', 'act', alice.username, 'silence', '--no-notify')
  assert.equal(await ctl('appeals', 'reject', await appeal(server, alice)), 'OK\n')
  const { silenced, overruled } = (await stateOf(server, alice)) ?? {}
  assert.deepEqual([silenced, overruled], [true, false])
  assert.match(await waitForMail(server, `${alice.username}@example.com`), /rejected your appeal/)
})

test('an appeal is decided once', async t => {
  const { server, alice } = await setUp(t)
  const database = directDatabase(t, server)
  const admin = await person(server, 'admin', { roleId: 2 })
  await sql(server, `insert into account_warnings (target_account_id, action) values ($1, 'none')`, [alice.id])
  const id = await appeal(server, alice)
  const decisions = await Promise.allSettled([
    decideAppeal({ database }, admin.id, id, 'approve'),
    decideAppeal({ database }, admin.id, id, 'reject'),
  ])
  assert.equal(decisions.filter(({ status }) => status === 'fulfilled').length, 1)
  await assert.rejects(decideAppeal({ database }, admin.id, id, 'reject'), { code: 'notAllowed' })
  await assert.rejects(decideAppeal({ database }, admin.id, '999999', 'reject'), { code: 'notFound' })
  const log = await sql(
    server,
    `select action from admin_action_logs where target_type = 'Appeal' and target_id = $1`,
    [id],
  )
  assert.equal(log.length, 1)
})
