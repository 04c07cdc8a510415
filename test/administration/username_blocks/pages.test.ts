import assert from 'node:assert/strict'
import { test } from 'tap'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/username_blocks'

test('blocked usernames need the permission to manage blocks', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`, `${PATH}/1/edit`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { username: 'nobody' })
  assert.equal((await browser.get(`${PATH}/999999/edit`)).status, 404)
})

test('a username is blocked, changed and unblocked; each change is logged', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)

  const invalid = await browser.submit(form, PATH, { username: 'no spaces' })
  assert.equal(invalid.status, 422)
  assert.match(readText(invalid), /must contain only letters, numbers and underscores/)
  const taken = await browser.submit(form, PATH, { username: 'Adm1n' })
  assert.deepEqual([taken.status, readText(taken).includes('has already been taken')], [422, true])

  const added = await browser.submit(form, PATH, { username: 'pirate', comparison: 'contains' })
  assert.deepEqual([added.status, added.location], [303, PATH])
  const list = await browser.get(PATH)
  assert.match(readText(list), /Added\..*pirate Names that contain it refused/)
  const [row] = await sql(server, `select id::text, exact from username_blocks where username = 'pirate'`)
  assert.equal(row?.['exact'], false)
  const path = `${PATH}/${String(row?.['id'])}`

  const edit = await browser.get(`${path}/edit`)
  assert.equal(edit.forms.find(({ action }) => action === path)?.fields['comparison'], 'contains')
  const clash = await browser.submit(edit, path, { username: 'root' }, 'put')
  assert.deepEqual([clash.status, readText(clash).includes('has already been taken')], [422, true])
  await browser.submit(edit, path, { username: 'pirates', comparison: 'exact', allow_with_approval: '1' }, 'put')
  assert.match(readText(await browser.get(PATH)), /pirates Exactly this name with approval/)

  const none = await browser.submit(list, `${PATH}/batch`, { change: 'delete' })
  assert.equal(none.location, PATH)
  assert.match(readText(await browser.get(PATH)), /Nothing was selected/)
  await browser.submit(list, `${PATH}/batch`, { change: 'delete', 'ids[]': [String(row?.['id']), '999999'] })
  const after = readText(await browser.get(PATH))
  assert.ok(after.includes('1 entry was changed.') && !after.includes('pirates'), after)
  assert.deepEqual(await loggedActions(server, person), [
    'create UsernameBlock pirate',
    'update UsernameBlock pirates',
    'destroy UsernameBlock pirates',
  ])
})
