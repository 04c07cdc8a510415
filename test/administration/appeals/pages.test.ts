import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/disputes/appeals'

test('appeals need the permission to manage appeals', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, `${PATH}/1/approve`)
  const { authenticity_token: token = '' } = (await browser.get(PATH)).forms[0]?.fields ?? {}
  assert.equal((await browser.post(`${PATH}/999999/approve`, { authenticity_token: token })).status, 404)
})

test('an approved appeal reverses the decision; a decided one stays decided', async t => {
  const server = await sharedServer()
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice', { account: { silenced_at: new Date() } })
  const bob = await person(server, 'bob', { account: { silenced_at: new Date() } })
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const ids = await Promise.all(
    [alice, bob].map(async ({ id }) => {
      const [row] = await sql(
        server,
        `with strike as (
           insert into account_warnings (target_account_id, action, text) values ($1, 'silence', 'Too <loud>.') returning id
         )
         insert into appeals (account_id, account_warning_id, text) select $1, id, 'I was <quiet>' from strike returning id::text`,
        [id],
      )
      return String(row?.['id'])
    }),
  )
  const list = await browser.get(PATH)
  assert.match(readText(list), /I was <quiet>.*Limited.*Command line.*Too <loud>\./)
  const limited = async (id: string): Promise<unknown> =>
    (await sql(server, 'select silenced_at is not null as limited from accounts where id = $1', [id]))[0]?.['limited']

  await browser.submit(list, `${PATH}/${ids[0]}/approve`)
  assert.match(readText(await browser.get(PATH)), /The appeal was approved/)
  await browser.submit(list, `${PATH}/${ids[1]}/reject`)
  assert.deepEqual([await limited(alice.id), await limited(bob.id)], [false, true])
  const again = await browser.submit(list, `${PATH}/${ids[1]}/approve`)
  assert.equal(again.status, 303)
  assert.match(readText(await browser.get(PATH)), /decided already.*There are no appeals/)
  assert.match(readText(await browser.get(`${PATH}?state=approved`)), new RegExp(`@${alice.username} Approved`))
  assert.match(readText(await browser.get(`${PATH}?state=rejected`)), new RegExp(`@${bob.username} Rejected`))
  const logged = await loggedActions(server, admin)
  assert.ok(logged.some(entry => entry.startsWith('approve')) && logged.some(entry => entry.startsWith('reject')))
})
