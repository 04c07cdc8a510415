import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { Browser } from '../../../support/browser.ts'
import type { Person } from '../../../support/people.ts'
import { signedIn } from '../../../support/signed_in.ts'

const PAGE = '/settings/profile'

const ownAccount = async (one: Person): Promise<Record<string, unknown>> =>
  (await one.get('/api/v1/accounts/verify_credentials')).json as Record<string, unknown>

test('the settings begin with the profile, whose pages are grouped', async t => {
  const { browser } = await signedIn(t, 'alice')
  assert.equal((await browser.get('/settings')).location, PAGE)
  const { text } = await browser.get(PAGE)
  assert.match(text, /<a href="\/settings\/profile"\s+aria-current="page"/)
  assert.match(text, /class="group"\s+data-current="true"/)
  assert.doesNotMatch(text, /href="\/settings\/delete"/)
  assert.match((await browser.get('/auth/edit')).text, /href="\/settings\/delete"/)
  assert.equal((await browser.get('/assets/settings.css')).status, 200)
})

test('texts, fields and flags of the profile are changed, and everybody learns of it', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const { person: bob } = await signedIn(t, 'bob')
  const shown = async (): Promise<unknown> =>
    ((await bob.get(`/api/v1/accounts/${alice.id}`)).json as { display_name: string }).display_name
  assert.equal(await shown(), 'alice')
  const page = await browser.get(PAGE)
  const response = await browser.submit(page, PAGE, {
    'account[display_name]': ' Alice & Co ',
    'account[note]': 'First\r\n\r\nSecond <b>',
    'account[fields_attributes][0][name]': 'Home',
    'account[fields_attributes][0][value]': 'a garden',
    'account[bot]': '1',
    'account[show_media]': '0',
    'account[attribution_domains]': 'https://one.example\r\ntwo.example\r\n',
  })
  assert.deepEqual([response.status, response.location], [302, PAGE], response.text)
  const profile = (await alice.get('/api/v1/profile')).json as Record<string, unknown>
  const { display_name, note, bot, show_media, show_featured, attribution_domains } = profile
  assert.deepEqual(
    { display_name, note, bot, show_media, show_featured, attribution_domains },
    {
      display_name: 'Alice & Co',
      note: 'First\n\nSecond <b>',
      bot: true,
      show_media: false,
      show_featured: true,
      attribution_domains: ['one.example', 'two.example'],
    },
  )
  assert.deepEqual(profile['fields'], [{ name: 'Home', value: 'a garden', verified_at: null }])
  assert.equal(await shown(), 'Alice & Co', 'others see it at once')
  const again = await browser.get(PAGE)
  assert.match(again.text, /value="Alice &amp; Co"/)
  const kept = await browser.submit(again, PAGE)
  assert.equal(kept.status, 302)
  const after = (await alice.get('/api/v1/profile')).json
  assert.deepEqual(after, profile, 'a form that is sent as it is changes nothing')
})

test('an invalid form shows errors beside its fields with the entered values, and changes nothing', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const before = await ownAccount(alice)
  const refused = await browser.submit(await browser.get(PAGE), PAGE, {
    'account[display_name]': 'x'.repeat(41),
    'account[note]': 'kept',
    'account[fields_attributes][1][value]': 'without a name',
    'account[attribution_domains]': 'no domain',
    'account[avatar]': new File(['not a picture'], 'a.png', { type: 'image/png' }),
  })
  assert.equal(refused.status, 200)
  assert.match(refused.text, /id="account_display_name_error">is too long \(maximum is 40 characters\)</)
  assert.match(refused.text, /contains values without a label/)
  assert.match(refused.text, /no is not a valid domain name/)
  assert.match(refused.text, /kept<\/textarea>/)
  assert.match(refused.text, /Nothing was saved/)
  const picture = await browser.submit(await browser.get(PAGE), PAGE, {
    'account[avatar]': new File(['not a picture'], 'a.png', { type: 'image/png' }),
  })
  assert.match(picture.text, /id="account_avatar_error">is no picture that we can read/)
  assert.deepEqual(await ownAccount(alice), before)
})

test('pictures are uploaded, shown, described and removed', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const image = sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      background: '#336699',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
  const bytes = await image.png({ compressionLevel: 0 }).toBuffer()
  assert.ok(bytes.length > 1024 * 1024, 'larger than what is held in memory')
  const response = await browser.submit(await browser.get(PAGE), PAGE, {
    'account[avatar]': new File([new Uint8Array(bytes)], 'me.png', { type: 'image/png' }),
    'account[avatar_description]': 'A face',
    'account[display_name]': 'Al',
  })
  assert.equal(response.status, 302, response.text)
  const account = await ownAccount(alice)
  assert.equal(account['display_name'], 'Al')
  const page = await browser.get(PAGE)
  assert.ok(page.text.includes(`src="${String(account['avatar_static'])}" alt="A face"`), page.text)
  assert.doesNotMatch(page.text, /remove_header/)
  const removed = await browser.submit(page, `${PAGE}/pictures/avatar`, {}, 'delete')
  assert.deepEqual([removed.status, removed.location], [302, PAGE])
  const after = (await alice.get('/api/v1/profile')).json as Record<string, unknown>
  assert.deepEqual([after['avatar'], after['avatar_description']], [null, ''])
  const unknown = await browser.post(`${PAGE}/pictures/other`, { ...page.forms[0]?.fields, _method: 'delete' })
  assert.equal(unknown.status, 404)
})

test('large bodies are taken from browsers of usable accounts only, and need the token of a form', async t => {
  const { browser } = await signedIn(t, 'alice')
  const big = new File([new Uint8Array(2 * 1024 * 1024)], 'big.png')
  const page = await browser.get(PAGE)
  const forged = await browser.submit(page, PAGE, { 'account[avatar]': big, authenticity_token: 'x.y' })
  assert.equal(forged.status, 422)
  const stranger = new Browser(browser.server)
  const refused = await stranger.submit(page, PAGE, { 'account[avatar]': big })
  assert.equal(refused.status, 422)
  const small = await stranger.submit(page, PAGE)
  assert.equal(small.location, '/auth/sign_in')
})

test('privacy and reach are switched', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice', { account: { locked: true } })
  const { person: bob } = await signedIn(t, 'bob')
  const path = '/settings/privacy'
  const page = await browser.get(path)
  const response = await browser.submit(
    page,
    path,
    {
      'account[discoverable]': '1',
      'account[indexable]': '1',
      'account[unlocked]': '1',
      'account[show_collections]': '0',
      'user[index]': '0',
      'user[show_application]': '0',
    },
    'put',
  )
  assert.deepEqual([response.status, response.location], [302, path], response.text)
  const { locked, discoverable, indexable, hide_collections, noindex } = await ownAccount(alice)
  assert.deepEqual(
    { locked, discoverable, indexable, hide_collections, noindex },
    { locked: false, discoverable: true, indexable: true, hide_collections: true, noindex: true },
  )
  const { id } = await alice.postStatus('with what?')
  const shown = (await bob.get(`/api/v1/statuses/${id}`)).json as Record<string, unknown>
  assert.equal(shown['application'] ?? null, null)
  const same = await browser.submit(await browser.get(path), path, {}, 'put')
  assert.equal(same.status, 302)
  const after = await ownAccount(alice)
  assert.deepEqual([after['hide_collections'], after['noindex'], after['locked']], [true, true, false])
})
