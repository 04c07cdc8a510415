import assert from 'node:assert/strict'
import { test } from 'tap'
import { LANGUAGES } from '../../../../src/core/languages/index.ts'
import { readHtml } from '../../../support/browser.ts'
import { people, type Person } from '../../../support/people.ts'
import { signedIn } from '../../../support/signed_in.ts'

const READING = '/settings/preferences/reading'
const POSTING = '/settings/preferences/posting'

/** The name of a language's box, by its position on the page. */
function boxOf(page: string, code: string): string {
  const name = new RegExp(`name="(user\\[chosen_languages\\]\\[\\d+\\])"[^>]*value="${code}"`).exec(page)?.[1]
  assert.ok(name, `no box for ${code}`)
  return readHtml(name)
}

const idsOf = (response: { json: unknown }): string[] => (response.json as { id: string }[]).map(({ id }) => id)

test('public timelines are limited to chosen languages, and no longer when none is chosen', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const { bob } = await people(t, 'bob')
  const german = await bob.postStatus('Guten Tag', { language: 'de' })
  const french = await bob.postStatus('bonjour', { language: 'fr' })
  const seen = async (): Promise<[boolean, boolean]> => {
    const ids = idsOf(await alice.get('/api/v1/timelines/public?local=true&limit=40'))
    return [ids.includes(german.id), ids.includes(french.id)]
  }
  assert.deepEqual(await seen(), [true, true])
  const page = await browser.get(READING)
  assert.equal(page.text.match(/name="user\[chosen_languages\]\[\d+\]"/g)?.length, LANGUAGES.length)
  const chosen = await browser.submit(page, READING, { [boxOf(page.text, 'de')]: 'de' }, 'put')
  assert.deepEqual([chosen.status, chosen.location], [302, READING], chosen.text)
  assert.deepEqual(await seen(), [true, false])
  const again = await browser.get(READING)
  assert.equal(boxOf(again.text, 'de'), 'user[chosen_languages][0]', 'chosen ones come first')
  await browser.submit(again, READING, {}, 'put')
  assert.deepEqual(await seen(), [true, false], 'a form that is sent as it is changes nothing')
  await browser.submit(again, READING, { [boxOf(again.text, 'de')]: null }, 'put')
  assert.deepEqual(await seen(), [true, true])
})

test('boosts of a post are grouped unless they are not to be', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const { bob, carol, dora } = await people(t, 'bob', 'carol', 'dora')
  await alice.follow(carol)
  await alice.follow(dora)
  const { id } = await bob.postStatus('boosted twice')
  const boost = async (by: Person): Promise<string> =>
    ((await by.post(`/api/v1/statuses/${id}/reblog`)).json as { id: string }).id
  const boosts = [await boost(carol), await boost(dora)]
  const home = async (): Promise<number> => {
    const ids = idsOf(await alice.get('/api/v1/timelines/home'))
    return boosts.filter(one => ids.includes(one)).length
  }
  assert.equal(await home(), 1)
  const choose = async (value: string): Promise<void> => {
    const page = await browser.get(READING)
    await browser.submit(page, READING, { 'user[aggregate_reblogs]': value }, 'put')
  }
  await choose('0')
  boosts.push(await boost(await people(t, 'erin').then(async ({ erin }) => (await alice.follow(erin), erin))))
  assert.ok((await home()) >= 2, 'the next boost is shown too')
})

test('preferences for reading and posting are the same on the page and in the API', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const reading = {
    'user[display_media]': 'hide_all',
    'user[expand_spoilers]': '1',
    'user[auto_play_gif]': '1',
  }
  await browser.submit(await browser.get(READING), READING, reading, 'put')
  const posting = {
    'source[privacy]': 'unlisted',
    'source[quote_policy]': 'nobody',
    'source[language]': 'eo',
    'source[sensitive]': '1',
  }
  const response = await browser.submit(await browser.get(POSTING), POSTING, posting, 'put')
  assert.deepEqual([response.status, response.location], [302, POSTING], response.text)
  const expected = {
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': true,
    'posting:default:language': 'eo',
    'posting:default:quote_policy': 'nobody',
    'reading:expand:media': 'hide_all',
    'reading:expand:spoilers': true,
    'reading:autoplay:gifs': true,
  }
  const preferences = async (): Promise<unknown> => (await alice.get('/api/v1/preferences')).json
  assert.deepEqual(await preferences(), expected)
  const { visibility, language } = await alice.postStatus('as always')
  assert.deepEqual([visibility, language], ['unlisted', 'eo'])
  await browser.submit(await browser.get(POSTING), POSTING, {}, 'put')
  await browser.submit(await browser.get(READING), READING, {}, 'put')
  assert.deepEqual(await preferences(), expected, 'forms that are sent as they are change nothing')
  for (const [path, wrong] of [
    [POSTING, { 'source[privacy]': 'secret' }],
    [POSTING, { 'source[language]': 'klingon-of-qonos' }],
    [READING, { 'user[display_media]': 'some' }],
    [READING, { authenticity_token: 'x.y' }],
  ] as const) {
    const refused = await browser.submit(await browser.get(path), path, wrong, 'put')
    assert.equal(refused.status, 422, JSON.stringify(wrong))
  }
  assert.deepEqual(await preferences(), expected)
})
