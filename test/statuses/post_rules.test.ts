import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person } from '../support/people.ts'
import { quote, quoteOf } from './quotes/quote_fixtures.ts'
import { entities, entity, errorOf, media } from './status_fixtures.ts'

const far = (domain: string) => ({ account: { domain } })

test('what counts towards the 500 characters of a status', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const { username } = await person(server, 'far', far('far.example.com'))
  const url = `https://example.com/${'x'.repeat(300)}`
  const long = Array.from({ length: 4 }, () => 'a'.repeat(63)).join('.')
  const family = '👨‍👩‍👧'
  /** Texts and their lengths. */
  const table: [string, number][] = [
    [url, 23],
    ['http://a.co', 23],
    [`example.com/${'x'.repeat(300)}`, 312],
    [`glued${url}`, 5 + url.length],
    [`@${username}@far.example.com`, 1 + username.length],
    [`@someone@${long}.com`, 13 + long.length],
    [`#tag ${family}`, 6],
  ]
  for (const [text, length] of table) {
    for (const [more, status] of [
      [0, 200],
      [1, 422],
    ] as const) {
      const response = await alice.post('/api/v1/statuses', {
        spoiler_text: 'w'.repeat(9),
        status: `${'y'.repeat(490 - length + more)} ${text}`,
      })
      assert.equal(response.status, status, `${text} ${response.text}`)
      if (status === 422) assert.equal(errorOf(response), 'Validation failed: Text character limit of 500 exceeded')
    }
  }
  assert.equal((await alice.post('/api/v1/statuses', { status: family.repeat(501) })).status, 422)
  const instance = entity((await anonymous.get('/api/v2/instance')).json)
  const { max_characters, characters_reserved_per_url } = entity(entity(instance['configuration'])['statuses'])
  assert.deepEqual([max_characters, characters_reserved_per_url], [500, 23])
})

test('characters of many code points do not make a text unlimited', async t => {
  const { alice } = await people(t, 'alice')
  const one = `a${'\u0301'.repeat(200_000)}`
  const tooLong = 'Validation failed: Text character limit of 500 exceeded'
  const links = Array.from({ length: 20 }, (_, at) => `https://example.com/${at}${'x'.repeat(4000)}`).join(' ')
  const { id } = await alice.postStatus(`${links} e\u0301`)
  for (const body of [{ status: one }, { status: 'a', spoiler_text: one }]) {
    for (const response of [
      await alice.post('/api/v1/statuses', body),
      await alice.put(`/api/v1/statuses/${id}`, body),
    ])
      assert.deepEqual([response.status, errorOf(response)], [422, tooLong])
  }
  const poll = { options: ['b', `a${'\u0301'.repeat(10_000)}`], expires_in: 600 }
  const refused = await alice.post('/api/v1/statuses', { status: 'which', poll })
  assert.deepEqual(
    [refused.status, errorOf(refused)],
    [422, 'Validation failed: Choices cannot be longer than 50 characters each'],
  )
  assert.equal((await alice.patch('/api/v1/accounts/update_credentials', { note: one })).status, 422)
})

test('space around the texts does not count', async t => {
  const { alice } = await people(t, 'alice')
  const posted = await alice.postStatus(`  \n${'x'.repeat(498)}\t\n`, { spoiler_text: '  cw ' })
  assert.deepEqual([posted['content'], posted['spoiler_text']], [`<p>${'x'.repeat(498)}</p>`, 'cw'])
  const source = entity((await alice.get(`/api/v1/statuses/${posted.id}/source`)).json)
  assert.deepEqual([source['text'], source['spoiler_text']], ['x'.repeat(498), 'cw'])
})

test('a status needs a text, a file or a quote', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [file] = await media(server, alice, [{ type: 'image' }])
  const { id } = await bob.postStatus('quote me')
  for (const body of [{ status: ' ' }, { poll: { options: ['a', 'b'], expires_in: 600 } }]) {
    const refused = await alice.post('/api/v1/statuses', body)
    assert.deepEqual([refused.status, errorOf(refused)], [422, "Validation failed: Text can't be blank"])
  }
  assert.equal((await alice.postStatus('', { media_ids: [file] }))['content'], '')
  const quoting = await quote(alice, id, { status: ' ', spoiler_text: 'cw' })
  assert.equal(quoting['spoiler_text'], 'cw')
  assert.match(String(quoting['content']), /^<p class="quote-inline">RE: <a href="[^"]+"[^>]*>.*<\/a><\/p>$/)
  assert.deepEqual([quoteOf(quoting)['state'], entity(quoteOf(quoting)['quoted_status']).id], ['accepted', id])
})

test('only accounts that can be addressed are mentioned', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const others = [
    await person(server, 'unconfirmed', { user: { confirmed_at: null } }),
    await person(server, 'unapproved', { user: { approved: false }, account: { pending: true } }),
    await person(server, 'suspended', { account: { suspended_at: new Date() } }),
    await person(server, 'blocked'),
  ]
  await alice.post(`/api/v1/accounts/${others.at(-1)?.id}/block`)
  const elsewhere = await person(server, 'elsewhere', far('blocked.example'))
  await alice.post('/api/v1/domain_blocks', { domain: 'blocked.example' })
  const names = others.map(one => `@${one.username}`).join(' ')
  const status = await alice.postStatus(`@${bob.username} ${names} @${elsewhere.username}@blocked.example`)
  assert.deepEqual(
    entities(status['mentions']).map(one => one.id),
    [bob.id],
  )
  assert.match(String(status['content']), new RegExp(`</span> ${names} @${elsewhere.username}@blocked.example</p>$`))
})

test('without a quote policy the user’s default counts, and nobody means the author alone', async t => {
  const { server } = await people(t)
  for (const [policy, automatic] of [
    ['public', ['public']],
    ['followers', ['followers']],
    ['nobody', []],
  ] as const) {
    const preferences = JSON.stringify({ default_quote_policy: policy })
    const posted = await (await person(server, 'quotable', { user: { preferences } })).postStatus('hello')
    assert.deepEqual(posted['quote_approval'], { automatic, manual: [], current_user: 'automatic' })
  }
})
