import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { entity } from '../../statuses/status_fixtures.ts'
import { Browser, type Page } from '../../support/browser.ts'
import { useBudget } from '../../support/budget.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { signedIn } from '../../support/signed_in.ts'

const LINK = `/share?${new URLSearchParams({ title: 'A mill', text: 'turns <&> "round"', url: 'https://mill.example/' }).toString()}`
const TEXT = 'A mill\nturns <&> "round"\nhttps://mill.example/'

const fieldsOf = (page: Page): Record<string, string> =>
  page.forms.find(({ action }) => action === '/share')?.fields ?? {}

test('a text shared on another site is posted as the form says', async t => {
  const { browser, person } = await signedIn(t, 'alice')
  const page = await browser.get(LINK)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  const { status, visibility, language } = fieldsOf(page)
  assert.deepEqual({ status, visibility, language }, { status: TEXT, visibility: 'public', language: 'en' })
  const posted = await browser.submit(page, '/share', {
    spoiler_text: 'Mills',
    visibility: 'private',
    language: 'de',
  })
  assert.equal(posted.status, 302)
  const [, id = ''] = new RegExp(`^/@${person.username}/(\\d+)$`).exec(posted.location) ?? []
  const shown = entity((await person.get(`/api/v1/statuses/${id}`)).json)
  assert.deepEqual(
    [shown['visibility'], shown['language'], shown['spoiler_text'], shown['application']],
    ['private', 'de', 'Mills', null],
  )
  const source = entity((await person.get(`/api/v1/statuses/${id}/source`)).json)
  assert.equal(source['text'], TEXT)
  assert.match((await browser.get(posted.location)).text, /Mills/)
  // Sent again, as by a second click, it is the same post.
  const again = await browser.submit(page, '/share', { visibility: 'private' })
  assert.equal(again.location, posted.location)
})

test('the form begins with the preferences of the author', async t => {
  const { browser, person } = await signedIn(t, 'alice')
  await person.patch('/api/v1/accounts/update_credentials', { source: { privacy: 'unlisted', language: 'fr' } })
  const page = await browser.get('/share')
  const { status, visibility, language } = fieldsOf(page)
  assert.deepEqual({ status, visibility, language }, { status: '', visibility: 'unlisted', language: 'fr' })
})

test('a refused post keeps what was written, and says why', async t => {
  const { browser } = await signedIn(t, 'alice')
  const page = await browser.get('/share')
  const long = 'x'.repeat(501)
  const refused = await browser.submit(page, '/share', { status: long, visibility: 'direct', language: 'de' })
  assert.equal(refused.status, 422)
  const { status, visibility, language } = fieldsOf(refused)
  assert.deepEqual({ status, visibility, language }, { status: long, visibility: 'direct', language: 'de' })
  assert.match(refused.text, /<a href="#status">Text<\/a>: Text character limit of 500 exceeded/)
  const empty = await browser.submit(page, '/share', { status: ' ', spoiler_text: '' })
  assert.deepEqual([empty.status, /id="status_error">Text can&#39;t be blank</.test(empty.text)], [422, true])
  const posted = await browser.submit(refused, '/share', { status: 'short enough' })
  assert.equal(posted.status, 302)
})

test('who is not signed in signs in first and finds the text again', async t => {
  const { person, server } = await signedIn(t, 'alice')
  const browser = new Browser(server)
  const asked = await browser.get(LINK)
  assert.deepEqual([asked.status, asked.location], [302, '/auth/sign_in'])
  const { location } = await browser.signIn(person.email, PASSWORD)
  const page = await browser.get(location)
  assert.equal(fieldsOf(page)['status'], TEXT)
  // The session may end while somebody writes.
  browser.cookies.clear()
  const late = await browser.submit(page, '/share', { status: 'a longer text' })
  assert.equal(late.location, '/auth/sign_in')
  const again = await browser.get((await browser.signIn(person.email, PASSWORD)).location)
  assert.equal(fieldsOf(again)['status'], 'a longer text')
})

test('only those who may post do, and not by a form of another site', async t => {
  const { browser, person, server } = await signedIn(t, 'alice')
  const page = await browser.get('/share')
  const forged = await browser.submit(page, '/share', { status: 'forged', authenticity_token: 'x' })
  assert.equal(forged.status, 422)
  const waiting = await personWithPassword(server, 'waiting', { user: { approved: false } })
  const other = new Browser(server)
  await other.signIn(waiting.email, PASSWORD)
  assert.deepEqual([(await other.get('/share')).status, (await other.get('/share')).location], [302, '/auth/edit'])
  const [count] = await sql(server, 'select count(*)::int as count from statuses where account_id = any($1)', [
    [person.id, waiting.id],
  ])
  assert.equal(count?.['count'], 0)
})

test('posts of the form count against the budget of their author', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const { browser, person } = await signedIn(t, 'alice', { server })
  await useBudget(server, 'statuses', person.id, 299)
  const page = await browser.get('/share')
  assert.equal((await browser.submit(page, '/share', { status: ' ' })).status, 422, 'not counted')
  assert.equal((await browser.submit(page, '/share', { status: 'the last' })).status, 302)
  const refused = await browser.submit(await browser.get('/share'), '/share', { status: 'one too many' })
  assert.deepEqual([refused.status, fieldsOf(refused)['status']], [429, 'one too many'])
  assert.match(refused.text, /Too many requests/)
})

test('the pages of a web client have precedence', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><p>client</p>')
  const server = await startServer(t, { env: { WEB_CLIENT: folder } })
  const browser = new Browser(server)
  for (const address of [LINK, '/statuses/1', '/accounts/1']) {
    const page = await browser.get(address)
    assert.deepEqual([page.status, page.text], [200, '<!doctype html><p>client</p>'], address)
  }
})
