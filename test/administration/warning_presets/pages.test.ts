import assert from 'node:assert/strict'
import { test } from 'tap'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/warning_presets'

test('warning presets are added, changed and deleted with the permission to manage settings', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { person, browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { title: 'x', text: 'y' })
  assert.match(readText(await browser.get(PATH)), /There are no presets/)

  const form = await browser.get(`${PATH}/new`)
  const blank = await browser.submit(form, PATH, { title: 'Spam', text: ' ' })
  assert.deepEqual([blank.status, readText(blank).includes("Text can't be blank")], [422, true])
  assert.equal(blank.forms.find(({ action }) => action === PATH)?.fields['title'], 'Spam')
  assert.equal((await browser.submit(form, PATH, { title: 'Spam', text: 'No <spam>.\n\nPlease.' })).location, PATH)
  assert.match(readText(await browser.get(PATH)), /Added\..*Spam No <spam>\. Please\./)
  const [row] = await sql(server, 'select id::text from warning_presets')
  const path = `${PATH}/${String(row?.['id'])}`

  const edit = await browser.get(`${path}/edit`)
  assert.equal(edit.forms.find(({ action }) => action === path)?.fields['text'], 'No <spam>.\n\nPlease.')
  const long = await browser.submit(edit, path, { title: 'x'.repeat(256) }, 'put')
  assert.deepEqual([long.status, readText(long).includes('maximum is 255 characters')], [422, true])
  await browser.submit(edit, path, { title: 'Advertising' }, 'put')
  const list = await browser.get(PATH)
  assert.match(readText(list), /Advertising No <spam>/)
  await browser.submit(list, path, {}, 'delete')
  assert.match(readText(await browser.get(PATH)), /Deleted\..*There are no presets/)
  assert.deepEqual(
    [(await browser.get(`${path}/edit`)).status, (await browser.submit(list, path, {}, 'delete')).status],
    [404, 404],
  )
  assert.equal((await loggedActions(server, person)).length, 3)
})
