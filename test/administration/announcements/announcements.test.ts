import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/announcements'
const LATER = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)

test('announcements need the permission to manage announcements', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`, `${PATH}/1`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { 'announcement[text]': 'Stolen' })
  assert.equal((await browser.get(`${PATH}/999999`)).status, 404)
})

test('an announcement is previewed, published, changed, unpublished and deleted', async t => {
  const server = await sharedServer()
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const reader = await person(server, 'reader')
  t.after(() => reader.close())
  const shown = async () =>
    ((await reader.get('/api/v1/announcements')).json as { content: string }[]).map(({ content }) => content)
  const form = await browser.get(`${PATH}/new`)

  const wrong = await browser.submit(form, PATH, {
    'announcement[text]': ' ',
    'announcement[starts_at]': 'soon',
    'announcement[scheduled_at]': '2001-01-01T00:00',
  })
  assert.equal(wrong.status, 422)
  assert.match(readText(wrong), /can't be blank.*is not a date and time/)
  const half = { 'announcement[text]': 'x', 'announcement[starts_at]': LATER }
  assert.match(readText(await browser.submit(form, PATH, half)), /needs the other time/)
  const order = { ...half, 'announcement[ends_at]': '2001-01-01T00:00', 'announcement[scheduled_at]': '' }
  assert.match(readText(await browser.submit(form, PATH, order)), /must be after the start/)
  const past = { 'announcement[text]': 'x', 'announcement[scheduled_at]': '2001-01-01T00:00' }
  assert.match(readText(await browser.submit(form, PATH, past)), /must be in the future/)

  const text = { 'announcement[text]': 'Maintenance <tonight>\nhttps://status.millrace.org' }
  const preview = await browser.submit(form, PATH, { ...text, next: 'preview' })
  assert.equal(preview.status, 200)
  assert.match(preview.text, /<p>Maintenance &lt;tonight&gt;\s*<br ?\/?>\s*<a href="https:\/\/status\.millrace\.org/)
  assert.deepEqual(await shown(), [])

  const stream = await reader.stream('user')
  assert.equal((await browser.submit(form, PATH, { ...text, next: 'publish' })).location, PATH)
  await stream.next('announcement')
  assert.equal((await shown()).length, 1)
  const list = await browser.get(PATH)
  assert.match(readText(list), /The announcement has been published.*Published.*Maintenance <tonight>/)
  const path = list.forms.find(({ action, fields }) => action.startsWith(`${PATH}/`) && fields['_method'])?.action ?? ''

  const edit = await browser.get(path)
  await browser.submit(edit, path, { 'announcement[text]': 'It is over' }, 'put')
  assert.deepEqual(await shown(), ['<p>It is over</p>'])
  await browser.submit(await browser.get(PATH), `${path}/publication`)
  assert.deepEqual(await shown(), [])
  await browser.submit(await browser.get(PATH), path, {}, 'delete')
  assert.equal((await browser.get(path)).status, 404)
  assert.deepEqual(
    (await loggedActions(server, admin)).map(entry => entry.split('\n')[0]),
    [
      'create Announcement Maintenance <tonight>',
      'update Announcement It is over',
      'unpublish Announcement It is over',
      'destroy Announcement It is over',
    ],
  )
})

test('a scheduled announcement is published at its time, which can be changed', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const planned = { 'announcement[text]': 'Planned', 'announcement[scheduled_at]': LATER }
  await browser.submit(await browser.get(`${PATH}/new`), PATH, planned)
  const [row] = await sql(server, `select id::text, published, scheduled_at from announcements where text = 'Planned'`)
  assert.deepEqual([row?.['published'], row?.['scheduled_at']], [false, new Date(`${LATER}Z`)])
  assert.match(readText(await browser.get(PATH)), /Scheduled Planned/)
  const path = `${PATH}/${String(row?.['id'])}`
  await browser.submit(await browser.get(path), path, { 'announcement[scheduled_at]': '' }, 'put')
  const [draft] = await sql(server, `select scheduled_at from announcements where text = 'Planned'`)
  assert.equal(draft?.['scheduled_at'], null)
})

test("the times of an announcement are in the selected time zone, by default the user's", async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)
  assert.match(form.text, /<select[^>]* data-zone="browser"/, 'without a stored zone a script takes the browser’s')
  const text = { 'announcement[text]': 'Zoned', 'announcement[scheduled_at]': '2099-07-01T12:00' }
  const wrong = await browser.submit(form, PATH, { ...text, 'announcement[time_zone]': 'Mars/Olympus' })
  assert.deepEqual([wrong.status, /is invalid/.test(wrong.text)], [422, true])
  await browser.submit(form, PATH, { ...text, 'announcement[time_zone]': 'Asia/Tokyo' })
  const [row] = await sql(server, `select id::text, scheduled_at from announcements where text = 'Zoned'`)
  assert.deepEqual(row?.['scheduled_at'], new Date('2099-07-01T03:00Z'))

  const path = `${PATH}/${String(row?.['id'])}`
  const preferences = await browser.get('/settings/preferences')
  await browser.submit(preferences, '/settings/preferences', { 'user[time_zone]': 'America/New_York' }, 'put')
  const edit = await browser.get(path)
  const fields = edit.forms.find(({ action }) => action === path)?.fields
  assert.deepEqual(
    [fields?.['announcement[time_zone]'], fields?.['announcement[scheduled_at]']],
    ['America/New_York', '2099-06-30T23:00'],
  )
  assert.doesNotMatch(edit.text, /data-zone/)
  assert.match(readText(await browser.get(PATH)), /Publish at Jun 30, 2099, 11:00 PM EDT/)
  await browser.submit(edit, path, {}, 'put')
  const [same] = await sql(server, 'select scheduled_at from announcements where id = $1', [row?.['id']])
  assert.deepEqual(same?.['scheduled_at'], new Date('2099-07-01T03:00Z'))
})
