import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../../support/client.ts'
import { signedIn } from '../../../support/signed_in.ts'

const PAGE = '/settings/applications'

const NEW = {
  'application[name]': 'Robot',
  'application[website]': 'https://robot.example',
  'application[redirect_uris]': 'https://robot.example/back\r\nurn:ietf:wg:oauth:2.0:oob',
  'application[scopes]': 'read write:statuses',
}

/** The texts that one click selects: the client id and, once, a new secret or token. */
const codesOf = (page: string): string[] =>
  [...page.matchAll(/class="code whole">([^<]+)</g)].map(([, code = '']) => code)

test('an application is created; its secret and a token are shown once and work', async t => {
  const { browser, server, person } = await signedIn(t, 'alice')
  const made = await browser.submit(await browser.get(`${PAGE}/new`), PAGE, NEW)
  assert.equal(made.status, 200, made.text)
  const [secret = '', clientId = ''] = codesOf(made.text)
  const page = /action="(\/settings\/applications\/\d+)"/.exec(made.text)?.[1] ?? ''
  assert.deepEqual(codesOf((await browser.get(page)).text), [clientId], 'the secret is not shown again')
  const exchange = async (clientSecret: string): Promise<number> =>
    (
      await new Client(server).post('/oauth/token', {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      })
    ).status
  assert.equal(await exchange(secret), 200)
  const renewed = await browser.submit(await browser.get(page), `${page}/secret`)
  const [fresh = ''] = codesOf(renewed.text)
  assert.deepEqual([await exchange(secret), await exchange(fresh)], [401, 200])
  const [token = ''] = codesOf((await browser.submit(await browser.get(page), `${page}/token`)).text)
  const robot = new Client(server, token)
  const { json } = await robot.get('/api/v1/accounts/verify_credentials')
  assert.equal((json as { id: string }).id, person.id)
  const posted = (await robot.post('/api/v1/statuses', { status: 'beep' })).json as { application: { name: string } }
  assert.equal(posted.application.name, 'Robot')
  assert.equal((await robot.post('/api/v1/lists', { title: 'no' })).status, 403, 'only the scopes of the application')
  await browser.submit(await browser.get(page), `${page}/token`)
  assert.equal((await robot.get('/api/v1/accounts/verify_credentials')).status, 401, 'a new token replaces the old one')
})

test('an application is changed and deleted, and its tokens end', async t => {
  const { browser, server, person } = await signedIn(t, 'alice')
  const made = await browser.submit(await browser.get(`${PAGE}/new`), PAGE, NEW)
  const page = /action="(\/settings\/applications\/\d+)"/.exec(made.text)?.[1] ?? ''
  const [token = ''] = codesOf((await browser.submit(made, `${page}/token`)).text)
  const robot = new Client(server, token)
  const { id } = (await robot.post('/api/v1/statuses', { status: 'beep' })).json as { id: string }
  const shownBy = async (): Promise<unknown> =>
    ((await person.get(`/api/v1/statuses/${id}`)).json as { application: { name: string } | null }).application?.name
  assert.equal(await shownBy(), 'Robot')
  const changed = await browser.submit(await browser.get(page), page, { 'application[name]': 'Better robot' }, 'put')
  assert.deepEqual([changed.status, changed.location], [302, page], changed.text)
  assert.match((await browser.get(PAGE)).text, /Better robot/)
  const { json } = await robot.get('/api/v1/apps/verify_credentials')
  assert.equal((json as { name: string }).name, 'Better robot')
  assert.equal(await shownBy(), 'Better robot')
  const removed = await browser.submit(await browser.get(page), page, {}, 'delete')
  assert.equal(removed.location, PAGE)
  assert.equal((await robot.get('/api/v1/accounts/verify_credentials')).status, 401)
  assert.equal((await browser.get(page)).status, 404)
  assert.equal(await shownBy(), undefined)
})

test('invalid applications show errors beside their fields, and applications of others are not found', async t => {
  const { browser } = await signedIn(t, 'alice')
  const { browser: stranger } = await signedIn(t, 'mallory')
  const refused = await browser.submit(await browser.get(`${PAGE}/new`), PAGE, {
    'application[name]': 'x'.repeat(61),
    'application[website]': 'no url',
    'application[redirect_uris]': '',
    'application[scopes]': 'everything',
  })
  assert.equal(refused.status, 200)
  for (const name of ['name', 'website', 'redirect_uris', 'scopes'])
    assert.match(refused.text, new RegExp(`id="application_${name}_error"`), name)
  const form = (await browser.get(`${PAGE}/new`)).forms.find(({ action }) => action === PAGE)?.fields ?? {}
  for (const [language, says] of [
    ['en', 'cannot contain a fragment.'],
    ['de', 'darf kein Fragment enthalten.'],
  ] as const) {
    const wrong = { ...form, ...NEW, 'application[redirect_uris]': 'https://robot.example/#back' }
    const page = await browser.post(PAGE, wrong, { 'accept-language': language })
    assert.ok(page.text.includes(says), language)
  }
  const made = await browser.submit(await browser.get(`${PAGE}/new`), PAGE, NEW)
  const page = /action="(\/settings\/applications\/\d+)"/.exec(made.text)?.[1] ?? ''
  assert.equal((await stranger.get(page)).status, 404)
  const fields = (await stranger.get(`${PAGE}/new`)).forms.find(({ action }) => action === PAGE)?.fields ?? {}
  for (const [path, method] of [
    [page, 'put'],
    [page, 'delete'],
    [`${page}/secret`, 'post'],
    [`${page}/token`, 'post'],
  ] as const)
    assert.equal((await stranger.post(path, { ...fields, ...NEW, _method: method })).status, 404, `${method} ${path}`)
  assert.match((await browser.get(PAGE)).text, /Robot/)
})
