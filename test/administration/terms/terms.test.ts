import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/terms_of_service'
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('the terms of service need the permission to manage settings', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`, `${PATH}/1`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { 'terms[text]': 'Stolen' })
  assert.equal((await browser.get(`${PATH}/999999`)).status, 404)
})

test('terms are a draft until they are published with all required fields', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const inForce = () => new Client(server, 'unknown').get('/api/v1/instance/terms_of_service')
  const form = await browser.get(`${PATH}/new`)

  const blank = await browser.submit(form, PATH, { next: 'publish' })
  assert.equal(blank.status, 422)
  // In the summary, and below each field.
  assert.equal(readText(blank).match(/can't be blank/g)?.length, 6)
  const dated = { 'terms[text]': 'Be **here**', 'terms[effective_date]': '2001-01-01' }
  assert.match(readText(await browser.submit(form, PATH, dated)), /must not be in the past/)
  const nonsense = { 'terms[text]': 'x', 'terms[effective_date]': '2030-02-31' }
  assert.match(readText(await browser.submit(form, PATH, nonsense)), /is invalid/)
  const preview = await browser.submit(form, PATH, { 'terms[text]': 'Be **here**, <i>', next: 'preview' })
  assert.equal(preview.status, 200)
  assert.ok(preview.text.includes('Be <strong>here</strong>, &lt;i&gt;'))

  assert.equal((await browser.submit(form, PATH, { 'terms[text]': 'Be **here**' })).location, PATH)
  assert.equal((await inForce()).status, 404)
  const [draft] = await sql(server, 'select id::text from terms_of_service')
  const path = `${PATH}/${String(draft?.['id'])}`
  const published = await browser.submit(
    await browser.get(path),
    path,
    { 'terms[changelog]': 'Everything', 'terms[effective_date]': inDays(3), next: 'publish' },
    'put',
  )
  assert.equal(published.location, PATH)
  const shown = (await inForce()).json as { content: string; effective_date: string }
  assert.deepEqual([shown.content, shown.effective_date], ['<p>Be <strong>here</strong></p>', inDays(3)])
  assert.equal((await browser.get(path)).status, 404, 'published terms are not changed')

  const taken = { 'terms[text]': 'x', 'terms[effective_date]': inDays(3) }
  assert.match(readText(await browser.submit(form, PATH, taken)), /has already been taken/)
  await browser.submit(form, PATH, { ...taken, 'terms[effective_date]': inDays(5) })
  const [second] = await sql(server, 'select id::text from terms_of_service where published_at is null')
  const other = `${PATH}/${String(second?.['id'])}`
  assert.match(readText(await browser.submit(await browser.get(other), other, taken, 'put')), /already been taken/)

  const unsure = await browser.submit(await browser.get(PATH), path, {}, 'delete')
  assert.match(readText(await browser.get(unsure.location)), /Please confirm that you are sure/)
  assert.equal((await inForce()).status, 200)
  await browser.submit(await browser.get(PATH), path, { sure: '1' }, 'delete')
  assert.equal((await inForce()).status, 404)
  assert.deepEqual(await loggedActions(server, person), [
    'create TermsOfService ',
    `update TermsOfService ${inDays(3)}`,
    `publish TermsOfService ${inDays(3)}`,
    `create TermsOfService ${inDays(5)}`,
    `destroy TermsOfService ${inDays(3)}`,
  ])
})

test('of two drafts that get the same date at the same time one is refused', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${PATH}/new`)
  const paths: string[] = []
  for (const text of ['One', 'Two']) {
    await browser.submit(form, PATH, { 'terms[text]': text })
    const [draft] = await sql(server, 'select id::text from terms_of_service where text = $1', [text])
    paths.push(`${PATH}/${String(draft?.['id'])}`)
  }
  const forms = await Promise.all(paths.map(path => browser.get(path)))
  const date = inDays(30)
  const other = await connect(t, server)
  await other.query('begin')
  await other.query(`insert into terms_of_service (text, effective_date) values ('Held', $1)`, [date])
  const sent = paths.map((path, index) =>
    browser.submit(forms[index] ?? form, path, { 'terms[effective_date]': date }, 'put'),
  )
  await waitForLocks(server, 2, ...sent)
  await other.query('rollback')
  const pages = await Promise.all(sent)
  assert.deepEqual(new Set(pages.map(({ status }) => status)), new Set([303, 422]))
  assert.ok(pages.some(page => readText(page).includes('has already been taken')))
})
