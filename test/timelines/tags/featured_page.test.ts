import assert from 'node:assert/strict'
import { test } from 'tap'
import { signedIn } from '../../support/signed_in.ts'

const PAGE = '/settings/featured_tags'

test('hashtags are featured and removed on a page', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  await alice.postStatus('#gardening one')
  await alice.postStatus('#gardening two')
  const names = async (): Promise<string[]> =>
    ((await alice.get('/api/v1/featured_tags')).json as { name: string }[]).map(({ name }) => name)
  const page = await browser.get(PAGE)
  assert.match(page.text, />\s*#gardening\s*</, 'recently used ones are offered')
  const added = await browser.submit(page, PAGE, { 'featured_tag[name]': '#Tea' })
  assert.deepEqual([added.status, added.location], [302, PAGE], added.text)
  assert.deepEqual(await names(), ['Tea'])
  await browser.post(PAGE, page.forms.at(-1)?.fields ?? {})
  assert.deepEqual((await names()).toSorted(), ['Tea', 'gardening'])
  for (const [name, reason] of [
    ['tea', 'has already been taken'],
    ['no tag!', 'is no hashtag'],
    ['', 'is no hashtag'],
  ] as const) {
    const refused = await browser.submit(await browser.get(PAGE), PAGE, { 'featured_tag[name]': name })
    assert.equal(refused.status, 200)
    assert.ok(refused.text.includes(`id="featured_tag_name_error">${reason}<`), name)
  }
  const shown = await browser.get(PAGE)
  const remove = shown.forms.filter(({ action }) => action.startsWith(`${PAGE}/`))
  assert.equal(remove.length, 2)
  await browser.submit(shown, remove[0]?.action ?? '', {}, 'delete')
  assert.equal((await names()).length, 1)
  assert.equal((await browser.submit(shown, remove[0]?.action ?? '', {}, 'delete')).status, 404)
})

test('the eleventh hashtag is refused with the reason', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  for (let count = 1; count <= 10; count++) await alice.post('/api/v1/featured_tags', { name: `most${count}` })
  const refused = await browser.submit(await browser.get(PAGE), PAGE, { 'featured_tag[name]': 'more' })
  assert.match(refused.text, /is one too many/)
})
