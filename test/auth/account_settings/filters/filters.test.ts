import assert from 'node:assert/strict'
import { test } from 'tap'
import type { Person } from '../../../support/people.ts'
import { signedIn } from '../../../support/signed_in.ts'

const PAGE = '/settings/filters'

interface Filter {
  readonly id: string
  readonly title: string
  readonly context: readonly string[]
  readonly filter_action: string
  readonly expires_at: string | null
  readonly keywords: readonly { keyword: string; whole_word: boolean }[]
}

const filtersOf = async (one: Person): Promise<Filter[]> => (await one.get('/api/v2/filters')).json as Filter[]

test('a filter is created on a page, and streams and the API know it at once', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const stream = await alice.stream('user')
  const form = await browser.get(`${PAGE}/new`)
  const response = await browser.submit(form, PAGE, {
    'filter[title]': 'Tea & cake',
    'filter[context][2]': 'public',
    'filter[filter_action]': 'hide',
    'filter[expires_in]': '3600',
    'filter[keywords_attributes][0][keyword]': 'tea',
    'filter[keywords_attributes][2][keyword]': 'cake',
    'filter[keywords_attributes][2][whole_word]': '0',
  })
  assert.deepEqual([response.status, response.location], [302, PAGE], response.text)
  await stream.next('filters_changed')
  const [filter] = await filtersOf(alice)
  assert.ok(filter)
  assert.deepEqual([filter.title, filter.context, filter.filter_action], ['Tea & cake', ['home', 'public'], 'hide'])
  assert.ok(filter.expires_at !== null)
  assert.deepEqual(
    filter.keywords.map(({ keyword, whole_word }) => [keyword, whole_word]),
    [
      ['tea', true],
      ['cake', false],
    ],
  )
  const list = await browser.get(PAGE)
  assert.match(list.text, /Tea &amp; cake/)
  assert.match(list.text, /2 words or phrases/)
})

test('changing a filter changes only the sent attributes, and a filter can be deleted', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const made = await alice.post('/api/v2/filters', {
    title: 'Old',
    context: ['home'],
    expires_in: 600,
    keywords_attributes: [{ keyword: 'one' }, { keyword: 'two' }],
  })
  const before = made.json as Filter
  const edit = `${PAGE}/${before.id}/edit`
  const action = `${PAGE}/${before.id}`
  await browser.submit(await browser.get(edit), action, {}, 'put')
  assert.deepEqual(await filtersOf(alice), [before], 'a form that is sent as it is changes nothing')
  const changes = {
    'filter[title]': 'New',
    'filter[keywords_attributes][0][keyword]': '',
    'filter[keywords_attributes][2][keyword]': 'three',
    'filter[expires_in]': '',
  }
  const response = await browser.submit(await browser.get(edit), action, changes, 'put')
  assert.equal(response.status, 302, response.text)
  const [after] = await filtersOf(alice)
  assert.deepEqual([after?.title, after?.expires_at], ['New', null])
  assert.deepEqual(
    after?.keywords.map(({ keyword }) => keyword),
    ['two', 'three'],
  )
  const removed = await browser.submit(await browser.get(PAGE), action, {}, 'delete')
  assert.equal(removed.location, PAGE)
  assert.deepEqual(await filtersOf(alice), [])
  assert.equal((await browser.get(edit)).status, 404)
})

test('a refused form keeps the expiry that was chosen', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const { id } = (await alice.post('/api/v2/filters', { title: 'Old', context: ['home'], expires_in: 600 }))
    .json as Filter
  const forms: [form: string, action: string, method: 'put' | undefined][] = [
    [`${PAGE}/new`, PAGE, undefined],
    [`${PAGE}/${id}/edit`, `${PAGE}/${id}`, 'put'],
  ]
  for (const [form, action, method] of forms) {
    for (const expiry of ['', '3600', '604800', ...(method === 'put' ? ['keep'] : [])]) {
      const fields = { 'filter[title]': ' ', 'filter[expires_in]': expiry }
      const refused = await browser.submit(await browser.get(form), action, fields, method)
      assert.equal(refused.status, 200)
      const shown = refused.forms.find(one => one.action === action)?.fields ?? {}
      assert.equal(shown['filter[expires_in]'], expiry, `${action} ${expiry}`)
    }
  }
})

test('invalid filters show errors beside their fields, and filters of others are not found', async t => {
  const { person: alice, browser } = await signedIn(t, 'alice')
  const { person: bob } = await signedIn(t, 'bob')
  const refused = await browser.submit(await browser.get(`${PAGE}/new`), PAGE, {
    'filter[title]': ' ',
    'filter[context][0]': null,
    'filter[keywords_attributes][0][keyword]': 'x'.repeat(513),
  })
  assert.equal(refused.status, 200)
  assert.match(refused.text, /id="filter_title_error">can&#39;t be blank</)
  assert.match(refused.text, /id="filter_context_error">can&#39;t be blank</)
  assert.match(refused.text, /is too long \(maximum is 512 characters\)/)
  assert.deepEqual(await filtersOf(alice), [])
  const { id } = (await bob.post('/api/v2/filters', { title: 'Bob’s', context: ['home'] })).json as Filter
  assert.equal((await browser.get(`${PAGE}/${id}/edit`)).status, 404)
  const fields = (await browser.get(`${PAGE}/new`)).forms.find(({ action }) => action === PAGE)?.fields ?? {}
  const stolen = { ...fields, _method: 'put', 'filter[title]': 'Mine' }
  assert.equal((await browser.post(`${PAGE}/${id}`, stolen)).status, 404)
  assert.equal((await browser.post(`${PAGE}/${id}`, { ...fields, _method: 'delete' })).status, 404)
  const forged = { ...fields, authenticity_token: 'x.y', 'filter[title]': 'Forged' }
  assert.equal((await browser.post(PAGE, forged)).status, 422)
  assert.deepEqual(
    (await filtersOf(bob)).map(({ title }) => title),
    ['Bob’s'],
  )
})
