import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type Test } from 'tap'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/webhooks'

/** A receiver of deliveries that answers 204. */
async function receiver(t: Test): Promise<{ url: string; received: IncomingMessage['headers'][] }> {
  const received: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    received.push(request.headers)
    request.resume()
    response.writeHead(204).end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.after(() => new Promise<void>(done => server.close(() => done())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

test('only those who manage webhooks see and change them', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`, `${PATH}/1`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { 'webhook[url]': 'https://a.example', 'webhook[events][0]': 'report.created' })
  assert.equal((await browser.get(`${PATH}/999999`)).status, 404)
})

test('a webhook is created, tested, changed, disabled and deleted', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const { url, received } = await receiver(t)
  const form = await browser.get(`${PATH}/new`)
  assert.ok(!form.text.includes('status.created'), 'needs a permission that administrators lack')
  const wrong = await browser.submit(form, PATH, { 'webhook[url]': 'javascript:alert(1)' })
  assert.equal(wrong.status, 422)
  assert.match(readText(wrong), /is not a valid URL.*can't be blank/)
  const status = { 'webhook[url]': url, 'webhook[events][0]': 'status.created' }
  assert.match(readText(await browser.submit(form, PATH, status)), /cannot include events you don’t have the rights to/)

  const made = await browser.submit(form, PATH, { 'webhook[url]': url, 'webhook[events][0]': 'report.created' })
  assert.equal(made.status, 303)
  const path = made.location
  const page = await browser.get(path)
  const [row] = await sql(server, 'select secret from webhooks where url = $1', [url])
  assert.ok(page.text.includes(String(row?.['secret'])))
  await browser.submit(page, `${path}/test`)
  assert.match(readText(await browser.get(path)), /test event was delivered; the answer was 204/)
  assert.equal(received.length, 1)
  assert.match(String(received[0]?.['x-hub-signature']), /^sha256=/)

  await browser.submit(page, `${path}/secret`)
  assert.ok(!(await browser.get(path)).text.includes(String(row?.['secret'])))
  await browser.submit(page, `${path}/state`)
  assert.match(readText(await browser.get(PATH)), /Disabled report\.created/)
  const taken = { 'webhook[url]': url, 'webhook[events][0]': 'report.created' }
  assert.match(readText(await browser.submit(form, PATH, taken)), /has already been taken/)
  await browser.submit(page, path, { 'webhook[url]': 'http://127.0.0.1:9/gone' }, 'put')
  await browser.submit(page, `${path}/test`)
  assert.match(readText(await browser.get(path)), /was not delivered.*1 failure/)
  await browser.submit(page, path, {}, 'delete')
  assert.equal((await browser.get(path)).status, 404)
  assert.equal((await browser.submit(page, path, {}, 'delete')).status, 404)
  const actions = (await loggedActions(server, person)).map(entry => entry.split(' ')[0])
  assert.deepEqual([actions[0], actions.at(-1)], ['create', 'destroy'])
})
