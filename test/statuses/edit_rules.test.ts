import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../support/people.ts'
import { quote, quoteOf, seenBy } from './quotes/quote_fixtures.ts'
import { entities, entity, media } from './status_fixtures.ts'

test('an edit replaces the content, and leaves what cannot be edited', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [parent, other, quoted] = [
    await bob.postStatus('parent'),
    await bob.postStatus('other'),
    await bob.postStatus('quoted'),
  ]
  const [file] = await media(server, alice, [{ type: 'image' }])
  const poll = { options: ['a', 'b'], expires_in: 600 }
  const sent = { sensitive: true, media_ids: [file], poll, language: 'de', visibility: 'unlisted' }
  const references = { in_reply_to_id: parent.id, quoted_status_id: quoted.id, quote_approval_policy: 'followers' }
  const { id } = await alice.postStatus('all of it', { ...sent, ...references })
  const tried = { visibility: 'public', in_reply_to_id: other.id, quoted_status_id: other.id }
  const edited = entity((await alice.put(`/api/v1/statuses/${id}`, { status: 'text', ...tried })).json)
  assert.deepEqual(
    [edited['media_attachments'], edited['poll'], edited['sensitive'], edited['spoiler_text']],
    [[], null, false, ''],
  )
  assert.deepEqual(
    [edited['visibility'], edited['in_reply_to_id'], edited['language']],
    ['unlisted', parent.id, 'de'],
    'what stays',
  )
  assert.equal(entity(quoteOf(edited)['quoted_status']).id, quoted.id)
  assert.deepEqual(entity(edited['quote_approval'])['automatic'], ['followers'])
  const blank = entity((await alice.put(`/api/v1/statuses/${id}`, {})).json)
  assert.match(String(blank['content']), /^<p class="quote-inline">RE: .*<\/p>$/)
})

test('a content warning without a text becomes the text', async t => {
  const { alice } = await people(t, 'alice')
  const { id } = await alice.postStatus('text')
  const edited = entity((await alice.put(`/api/v1/statuses/${id}`, { spoiler_text: 'only this' })).json)
  assert.deepEqual([edited['content'], edited['spoiler_text']], ['<p>only this</p>', ''])
})

test('an edit of the quote policy leaves quotes as they are, and private statuses allow none', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const open = await alice.postStatus('open')
  const { id: quoting } = await quote(bob, open.id)
  const change = async (id: string, text: string) => {
    const response = await alice.put(`/api/v1/statuses/${id}`, { status: text, quote_approval_policy: 'nobody' })
    return entity(response.json)
  }
  const closed = await change(open.id, 'open')
  assert.notEqual(closed['edited_at'], null)
  assert.deepEqual(entity(closed['quote_approval'])['automatic'], [])
  assert.deepEqual(await seenBy(bob, quoting), ['accepted', open.id])
  assert.equal(entities((await alice.get(`/api/v1/statuses/${open.id}/history`)).json).length, 2)
  for (const visibility of ['private', 'direct']) {
    const { id } = await alice.postStatus('secret', { visibility })
    const response = await alice.put(`/api/v1/statuses/${id}`, { status: 'other', quote_approval_policy: 'public' })
    assert.deepEqual(entity(entity(response.json)['quote_approval'])['automatic'], [], visibility)
  }
})

test('a deleted quote counts no longer, and quotes of it show nothing', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const original = await alice.postStatus('original')
  const quoting = await quote(bob, original.id)
  const nested = await quote(carol, quoting.id)
  const count = async (): Promise<unknown> =>
    entity((await carol.get(`/api/v1/statuses/${original.id}`)).json)['quotes_count']
  assert.equal(await count(), 1)
  await bob.delete(`/api/v1/statuses/${quoting.id}`)
  assert.equal(await count(), 0)
  assert.deepEqual((await alice.get(`/api/v1/statuses/${original.id}/quotes`)).json, [])
  assert.deepEqual(await seenBy(carol, nested.id), ['deleted', null])
})
