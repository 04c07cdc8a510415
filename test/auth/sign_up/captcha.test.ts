import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type Test } from 'tap'
import { becomes, openPair, type Pair } from '../../platform/settings/pair.ts'
import { Browser } from '../../support/browser.ts'
import { sql } from '../../support/people.ts'

/** A fake hCaptcha server; the response `right` is a solved captcha. */
async function openVerifier(t: Test): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    void text(request).then(body => {
      requests.push(body)
      response.end(JSON.stringify({ success: new URLSearchParams(body).get('response') === 'right' }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`, requests }
}

/** Creates an unconfirmed user; returns the path of the confirmation link. */
async function newcomer({ person }: Pair): Promise<{ id: string; link: string }> {
  const token = randomBytes(16).toString('hex')
  const hash = createHash('sha256').update(token).digest()
  const user = { confirmed_at: null, confirmation_token_hash: hash, confirmation_sent_at: new Date() }
  const { userId } = await person('newcomer', { user })
  return { id: userId, link: `/auth/confirmation?confirmation_token=${token}` }
}

test('the confirmation needs a captcha while the setting is on, in every process', async t => {
  const verifier = await openVerifier(t)
  const pair = await openPair(t, {
    HCAPTCHA_SITE_KEY: 'site',
    HCAPTCHA_SECRET_KEY: 'secret',
    HCAPTCHA_VERIFY_URL: verifier.url,
  })
  const { servers, ctl } = pair
  const isConfirmed = async (id: string): Promise<boolean> =>
    (await sql(servers[0], 'select 1 from users where id = $1 and confirmed_at is not null', [id])).length === 1

  const before = await newcomer(pair)
  assert.equal((await new Browser(servers[0]).get(before.link)).location, '/auth/sign_in')
  assert.equal(await isConfirmed(before.id), true)

  await ctl('settings', 'set', 'captcha_enabled', 'on')
  for (const server of servers) {
    const { id, link } = await newcomer(pair)
    const browser = new Browser(server)
    // The setting arrives as an event; until then opening a link confirms the address.
    const shown = async (): Promise<boolean> => {
      const other = await newcomer(pair)
      return (await new Browser(server).get(other.link)).text.includes('data-sitekey="site"')
    }
    await becomes(shown, true, 'captcha')
    const page = await browser.get(link)
    assert.match(page.text, /<script src="https:\/\/js\.hcaptcha\.com\/1\/api\.js"/)
    assert.match(String(page.headers.get('content-security-policy')), /script-src https:\/\/hcaptcha\.com/)
    for (const answer of ['', 'wrong']) {
      const refused = await browser.submit(page, '/auth/captcha_confirmation', { 'h-captcha-response': answer })
      assert.equal(refused.status, 200)
      assert.match(refused.text, /The captcha was not solved/)
      assert.equal(await isConfirmed(id), false)
    }
    const done = await browser.submit(page, '/auth/captcha_confirmation', { 'h-captcha-response': 'right' })
    assert.equal(done.location, '/auth/sign_in')
    assert.equal(await isConfirmed(id), true)
  }
  assert.deepEqual(
    verifier.requests.slice(0, 2).map(body => Object.fromEntries(new URLSearchParams(body))),
    ['wrong', 'right'].map(response => ({ secret: 'secret', sitekey: 'site', response })),
  )
  const forged = await new Browser(servers[0]).post('/auth/captcha_confirmation', { 'h-captcha-response': 'right' })
  assert.equal(forged.status, 422)
})
