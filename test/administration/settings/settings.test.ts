import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { settingsOn, PAGE_NAMES, picturesOn } from '../../../src/administration/settings/page_contents.ts'
import { SITE_PICTURES } from '../../../src/instance/index.ts'
import { SETTINGS } from '../../../src/platform/settings/index.ts'
import { TEXT_LANGUAGES } from '../../../src/platform/i18n/index.ts'
import { Client } from '../../support/client.ts'
import { createCommandLine } from '../../cli/command.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, startServer, type TestServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/settings'

const instance = async (server: TestServer): Promise<Record<string, unknown>> =>
  (await new Client(server, 'unknown').get('/api/v2/instance')).json as Record<string, unknown>

test('every setting and every picture is on exactly one page', async t => {
  const server = await sharedServer()
  assert.deepEqual(PAGE_NAMES.flatMap(settingsOn).toSorted(), Object.keys(SETTINGS).toSorted())
  assert.deepEqual(PAGE_NAMES.flatMap(picturesOn).toSorted(), [...SITE_PICTURES].toSorted())
  const { browser } = await staffMember(t, server, 'admin')
  for (const name of PAGE_NAMES) {
    for (const language of Object.keys(TEXT_LANGUAGES)) {
      const page = await browser.get(`${PATH}/${name}?lang=${language}`)
      assert.equal(page.status, 200)
      for (const key of settingsOn(name)) assert.ok(page.text.includes(`name="settings[${key}]"`), `${key} on ${name}`)
      assert.doesNotMatch(readText(page), /site_setting|\{\w+\}(?<!%\{domain\})/)
    }
  }
})

test('settings need the permission to manage settings', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, ...PAGE_NAMES.map(name => `${PATH}/${name}`)])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(`${PATH}/access`)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, `${PATH}/branding`, { _method: 'put', 'settings[site_title]': 'Stolen' })
  assert.notEqual((await instance(server))['title'], 'Stolen')
  assert.deepEqual(
    [(await browser.get(PATH)).location, (await browser.get(`${PATH}/nonsense`)).status],
    [`${PATH}/branding`, 404],
  )
})

test('settings are saved together, are visible at once, and logged', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const page = await browser.get(`${PATH}/branding`)
  const wrong = await browser.submit(
    page,
    `${PATH}/branding`,
    {
      'settings[site_title]': 'Half saved',
      'settings[site_contact_username]': 'nobody_here',
      'settings[site_contact_email]': '',
      'settings[status_page_url]': 'javascript:alert(1)',
    },
    'put',
  )
  assert.equal(wrong.status, 422)
  const text = readText(wrong)
  for (const error of [
    'no such account: nobody_here',
    'can’t be blank',
    'must be an http or https URL',
    'Nothing was saved',
  ])
    assert.ok(text.includes(error), error)
  assert.ok(wrong.text.includes('value="Half saved"'), 'what was written is still there')
  assert.match(
    wrong.text,
    /aria-describedby="settings_site_contact_username_hint settings_site_contact_username_error"/,
  )
  assert.notEqual((await instance(server))['title'], 'Half saved')

  const saved = await browser.submit(
    page,
    `${PATH}/branding`,
    {
      'settings[site_title]': 'Mill <Pond>',
      'settings[site_contact_username]': `@${person.username}`,
      'settings[site_contact_email]': 'contact@example.com',
    },
    'put',
  )
  assert.deepEqual([saved.status, saved.location], [303, `${PATH}/branding`])
  const shown = await instance(server)
  const contact = shown['contact'] as { email: string; account: { id: string } }
  assert.deepEqual(
    [shown['title'], contact.email, contact.account.id],
    ['Mill <Pond>', 'contact@example.com', person.id],
  )
  assert.match(readText(await browser.get(`${PATH}/branding`)), /The settings have been saved/)
  assert.deepEqual(await loggedActions(server, person), [
    'update Setting site_contact_email, site_contact_username, site_title',
  ])
  const [event] = await sql(
    server,
    `select actor_id::text, data from events where kind = 'settings.changed' and actor_id = $1 order by txid, id`,
    [person.id],
  )
  assert.deepEqual(event?.['data'], { keys: ['site_contact_email', 'site_contact_username', 'site_title'] })
})

test('numbers, switches and choices follow the catalogue', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const page = await browser.get(`${PATH}/registrations`)
  const send = (change: Record<string, string>) => browser.submit(page, `${PATH}/registrations`, change, 'put')
  assert.match(readText(await send({ 'settings[min_age]': '0' })), /whole number from 1 to 150, or blank/)
  assert.match(readText(await send({ 'settings[registrations_mode]': 'perhaps' })), /must be one of the choices/)
  assert.match(readText(await send({ 'settings[captcha_enabled]': '1' })), /needs HCAPTCHA_SITE_KEY/)
  await send({
    'settings[registrations_mode]': 'approved',
    'settings[require_invite_text]': '1',
    'settings[min_age]': '16',
    'settings[closed_registrations_message]': 'Two\r\nlines',
  })
  const registrations = (await instance(server))['registrations'] as Record<string, unknown>
  assert.deepEqual(
    [registrations['approval_required'], registrations['reason_required'], registrations['min_age']],
    [true, true, 16],
  )
  const [stored] = await sql(server, `select value from settings where key = 'closed_registrations_message'`)
  assert.equal(stored?.['value'], 'Two\nlines')
  await browser.submit(
    await browser.get(`${PATH}/registrations`),
    `${PATH}/registrations`,
    { 'settings[registrations_mode]': 'open', 'settings[require_invite_text]': '0', 'settings[min_age]': '' },
    'put',
  )
  const after = (await instance(server))['registrations'] as Record<string, unknown>
  assert.deepEqual([after['approval_required'], after['min_age']], [false, null])
  const partial = await browser.post(`${PATH}/registrations`, {
    _method: 'put',
    authenticity_token: page.forms.at(-1)?.fields['authenticity_token'] ?? '',
  })
  assert.equal(partial.status, 303, 'a form without fields changes nothing')
})

test('a text is previewed as Markdown without being saved', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const page = await browser.get(`${PATH}/about`)
  const change = { 'settings[site_extended_description]': '**Bold** <script>', preview: 'site_extended_description' }
  const preview = await browser.submit(page, `${PATH}/about`, change, 'put')
  assert.equal(preview.status, 200)
  assert.ok(preview.text.includes('<strong>Bold</strong> &lt;script&gt;'), preview.text)
  assert.equal(
    preview.forms.find(({ action }) => action === `${PATH}/about`)?.fields['settings[site_extended_description]'],
    '**Bold** <script>',
  )
  const shown = await new Client(server, 'unknown').get('/api/v1/instance/extended_description')
  assert.equal((shown.json as { content: string }).content, '')
})

test('the public preview is switched for all four timelines', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const action = `${PATH}/access/public_preview`
  const access = async () =>
    JSON.stringify(((await instance(server))['configuration'] as Record<string, unknown>)['timelines_access'])
  await browser.submit(await browser.get(`${PATH}/access`), action)
  assert.ok(!(await access()).includes('public'))
  const off = await browser.get(`${PATH}/access`)
  assert.match(readText(off), /The public preview is off/)
  assert.equal((await new Client(server).get('/api/v1/timelines/public')).status, 422)
  await browser.submit(off, `${PATH}/access`, { 'settings[local_live_feed_access]': 'public' }, 'put')
  const partial = await browser.get(`${PATH}/access`)
  assert.match(readText(partial), /for some timelines only/)
  await browser.submit(partial, action)
  assert.ok(!(await access()).includes('authenticated'))
})

test('a picture is replaced and removed; other files are refused', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const action = `${PATH}/pictures/thumbnail`
  const page = await browser.get(`${PATH}/branding`)
  const upload = (bytes: Uint8Array<ArrayBuffer> | string) =>
    browser.submit(page, action, { file: new File([bytes], 'banner.png', { type: 'image/png' }) })
  const refused = await upload('no picture')
  assert.deepEqual([refused.status, readText(refused).includes('not a picture that can be read')], [422, true])
  assert.match(readText(await browser.submit(page, action)), /Choose a picture/)
  const noise = { width: 900, height: 900, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } } as const
  const large = await sharp({ create: { ...noise, background: 'teal' } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  assert.ok(large.byteLength > 2 * 1024 * 1024)
  const done = await upload(new Uint8Array(large))
  assert.deepEqual([done.status, done.location], [303, `${PATH}/branding#pictures`])
  const thumbnail = (await instance(server))['thumbnail'] as { url: string; blurhash: string }
  assert.ok(thumbnail.blurhash.length > 20)
  const shown = await browser.get(`${PATH}/branding`)
  assert.ok(shown.text.includes('class="thumbnail"'))
  await browser.submit(shown, action, {}, 'delete')
  assert.notEqual(((await instance(server))['thumbnail'] as { url: string }).url, thumbnail.url)
  assert.equal((await browser.submit(shown, action, {}, 'delete')).status, 404)
  assert.deepEqual(await loggedActions(server, person), [
    'update SitePicture thumbnail',
    'destroy SitePicture thumbnail',
  ])
})

test('a setting that the environment overrides is in effect and cannot be changed', async t => {
  const server = await startServer(t, { env: { LIMITED_FEDERATION_MODE: 'true' } })
  const { browser } = await staffMember(t, server, 'admin')
  assert.equal((await new Client(server).get('/api/v1/timelines/public')).status, 401)
  const page = await browser.get(`${PATH}/access`)
  assert.match(readText(page), /is set by LIMITED_FEDERATION_MODE in the environment of the server/)
  const change = { 'settings[limited_federation_mode]': '0', 'settings[authorized_fetch]': '1' }
  const refused = await browser.submit(page, `${PATH}/access`, change, 'put')
  assert.equal(refused.status, 422)
  const stored = await sql(
    server,
    `select key from settings where key in ('limited_federation_mode', 'authorized_fetch')`,
  )
  assert.deepEqual(stored, [])
  const kept = { 'settings[limited_federation_mode]': '1', 'settings[authorized_fetch]': '1' }
  assert.equal((await browser.submit(page, `${PATH}/access`, kept, 'put')).status, 303)
  assert.deepEqual(await sql(server, `select key from settings where key ~ 'fed|fetch'`), [{ key: 'authorized_fetch' }])
  const ctl = await createCommandLine(t, server.databaseUrl)
  const tried = await ctl.run('settings', 'set', 'limited_federation_mode', 'true')
  assert.equal(tried.code, 0, 'without the variable the stored setting can be changed')
  assert.equal((await new Client(server).get('/api/v1/timelines/public')).status, 401)
})
