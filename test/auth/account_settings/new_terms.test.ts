import assert from 'node:assert/strict'
import { test } from 'tap'
import { readHtml, type Page } from '../../support/browser.ts'
import { sql } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signedIn } from '../../support/signed_in.ts'

const ANSWER = '/settings/terms_of_service'

const titleOf = ({ text }: Page): string => readHtml(/<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? '')
const isAsked = (page: Page): boolean => /^The terms of service of .* change$/.test(titleOf(page))

const publish = (server: TestServer, days: number): Promise<unknown> =>
  sql(
    server,
    `insert into terms_of_service (text, changelog, effective_date, published_at)
     values ('# New', 'We *share* <less>.', (now() at time zone 'UTC')::date + $1::integer, now())`,
    [days],
  )

test('new terms of service are shown before pages of members, until they are opened', async t => {
  const server = await startServer(t)
  const { person, browser } = await signedIn(t, 'alice', { server })
  const early = await browser.get('/settings/profile')
  assert.equal(isAsked(early), false)
  await publish(server, 30)
  const asked = await browser.get('/settings/profile')
  assert.equal(isAsked(asked), true)
  assert.match(asked.text, /We <em>share<\/em>/)
  assert.match(asked.text, /New terms apply from/)
  assert.equal(isAsked(await browser.get('/')), true)
  for (const path of ['/auth/edit', '/settings/exports', '/disputes/strikes', '/settings/delete'])
    assert.equal(isAsked(await browser.get(path)), false, path)
  const saved = await browser.submit(early, '/settings/profile', { 'account[display_name]': 'Alice' })
  assert.ok(saved.status < 400, 'a form that was open is still stored')
  assert.equal((await person.get('/api/v1/accounts/verify_credentials')).status, 200)

  const link = /href="(\/terms-of-service\/[\d-]+)"/.exec(asked.text)?.[1] ?? ''
  assert.equal((await browser.get('/terms')).location, '/terms-of-service')
  assert.equal(isAsked(await browser.get('/settings/profile')), true)
  assert.equal((await browser.get(link)).status, 200)
  assert.equal(isAsked(await browser.get('/settings/profile')), false)
})

test('who goes on is asked no more, and newcomers are not asked', async t => {
  const server = await startServer(t)
  const { browser } = await signedIn(t, 'alice', { server })
  await publish(server, 0)
  const asked = await browser.get('/settings/filters')
  assert.match(asked.text, /New terms apply since/)
  const unsigned = await browser.post(ANSWER, { return_to: '/settings/filters' })
  assert.equal(unsigned.status, 422)
  const done = await browser.submit(asked, ANSWER)
  assert.deepEqual([done.status, done.location], [303, '/settings/filters'])
  assert.equal(isAsked(await browser.get('/settings/filters')), false)
  await publish(server, 2)
  const listed = await browser.submit(await browser.get('/settings/filters?after=1&order=2'), ANSWER)
  assert.equal(listed.location, '/settings/filters?after=1&order=2')
  await publish(server, 1)
  const outside = await browser.submit(await browser.get('/settings/profile'), ANSWER, {
    return_to: '//elsewhere.example',
  })
  assert.equal(outside.location, '/settings/profile')
  const { browser: newcomer } = await signedIn(t, 'bob', { server })
  assert.equal(isAsked(await newcomer.get('/settings/profile')), false)
})

test('the pages of the staff stay open before new terms', async t => {
  const server = await startServer(t)
  const { browser } = await signedIn(t, 'owner', { server, roleId: 3 })
  await publish(server, 2)
  assert.equal((await browser.get('/admin/terms_of_service')).status, 200)
  assert.equal(isAsked(await browser.get('/admin/terms_of_service')), false)
  assert.equal(isAsked(await browser.get('/settings/profile')), true)
})
