import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf } from '../../support/client.ts'
import { people, sql } from '../../support/people.ts'
import { openSocket } from '../../support/socket.ts'
import { entities, entity, errorOf, relate } from '../status_fixtures.ts'
import { publishNow } from '../scheduled/scheduled_fixtures.ts'
import { quote, quoteOf, seenBy } from './quote_fixtures.ts'

test('a quote shows the quoted status, is counted, and notifies its author', async t => {
  const { alice, bob, carol, anonymous, server } = await people(t, 'alice', 'bob', 'carol')
  const original = await alice.postStatus('original')
  const boost = entity((await carol.post(`/api/v1/statuses/${original.id}/reblog`)).json)
  const socket = await openSocket(server, alice.token, 'user')
  t.after(() => socket.close())
  const quoting = await quote(bob, boost.id)
  const found = quoteOf(quoting)
  assert.deepEqual([found['state'], entity(found['quoted_status']).id], ['accepted', original.id])
  assert.match(String(quoting['content']), /^<p class="quote-inline">RE: <a href="[^>]*>.*<\/a><\/p><p>look<\/p>$/)
  assert.deepEqual(quoting['mentions'], [])
  // The boost's notification may still be on its way when the stream opens.
  const isQuote = ({ payload }: { payload: unknown }): boolean => entity(payload)['type'] === 'quote'
  const received = entity((await socket.next('notification', isQuote)).payload)
  assert.equal(entity(received['status']).id, quoting.id)
  for (const who of [alice, carol, anonymous])
    assert.deepEqual(await seenBy(who, quoting.id), ['accepted', original.id])
  assert.equal(entity((await carol.get(`/api/v1/statuses/${original.id}`)).json)['quotes_count'], 1)
  const nested = await quote(carol, quoting.id)
  assert.deepEqual(entity(entity(quoteOf(nested)['quoted_status'])['quote']), {
    state: 'accepted',
    quoted_status_id: original.id,
  })
  const bare = entity((await bob.post('/api/v1/statuses', { quoted_status_id: original.id, spoiler_text: 'cw' })).json)
  assert.equal(bare['spoiler_text'], 'cw')
  const named = await quote(bob, original.id, { status: `see ${String(original['url'])}` })
  assert.doesNotMatch(String(named['content']), /RE:/)
  await bob.delete(`/api/v1/statuses/${bare.id}`)
  assert.equal(entity((await carol.get(`/api/v1/statuses/${original.id}`)).json)['quotes_count'], 2)
})

test('a status that may not be quoted appears unknown', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const nobody = await alice.postStatus('x', { quote_approval_policy: 'nobody' })
  const followers = await alice.postStatus('x', { quote_approval_policy: 'followers' })
  const secret = await alice.postStatus('x', { visibility: 'private' })
  const direct = await alice.postStatus(`@${bob.username}`, { visibility: 'direct' })
  const open = await alice.postStatus('x')
  await bob.follow(alice)
  await relate(server, 'blocks', carol, alice)
  const missing = 'The post you are trying to quote does not appear to exist.'
  for (const [who, id] of [
    [bob, nobody.id],
    [carol, followers.id],
    [bob, secret.id],
    [bob, direct.id],
    [alice, direct.id],
    [carol, open.id],
    [bob, '1'],
    [bob, 'x'],
  ] as const) {
    const refused = await who.post('/api/v1/statuses', { status: 'x', quoted_status_id: id })
    assert.deepEqual([refused.status, errorOf(refused)], [404, missing])
  }
  assert.equal(quoteOf(await quote(bob, followers.id))['state'], 'accepted')
  assert.equal(quoteOf(await quote(alice, nobody.id))['state'], 'accepted')
  const own = await quote(alice, secret.id)
  assert.deepEqual([own['visibility'], quoteOf(own)['state']], ['private', 'accepted'], 'what is private stays so')
  const unnamed = await bob.post('/api/v1/statuses', { status: 'x', visibility: 'direct', quoted_status_id: open.id })
  assert.deepEqual(
    [unnamed.status, errorOf(unnamed)],
    [422, 'Validation failed: Cannot quote a non-mentioned user in a Private Mention post.'],
  )
  const named = await quote(bob, open.id, { status: `@${alice.username}`, visibility: 'direct' })
  assert.deepEqual([named['visibility'], quoteOf(named)['state']], ['direct', 'accepted'])
})

test('each viewer sees their own state of a quote', async t => {
  const { alice, bob, carol, dave, erin, anonymous, server } = await people(t, 'alice', 'bob', 'carol', 'dave', 'erin')
  const original = await alice.postStatus('original')
  const { id } = await quote(bob, original.id)
  await relate(server, 'blocks', alice, carol)
  await relate(server, 'blocks', dave, alice)
  await relate(server, 'mutes', erin, alice)
  assert.deepEqual(await seenBy(carol, id), ['unauthorized', null])
  assert.deepEqual(await seenBy(dave, id), ['blocked_account', original.id])
  assert.deepEqual(await seenBy(erin, id), ['muted_account', original.id])
  const nested = await quote(bob, id)
  const shallow = entity(
    entity(quoteOf((await carol.get(`/api/v1/statuses/${nested.id}`)).json)['quoted_status'])['quote'],
  )
  assert.deepEqual(shallow, { state: 'unauthorized', quoted_status_id: null })
  const hidden = await alice.postStatus('hidden', { visibility: 'private' })
  const { id: shared } = await quote(alice, hidden.id, { status: `@${bob.username}` })
  assert.deepEqual(await seenBy(bob, shared), ['unauthorized', null])
  assert.deepEqual(await seenBy(alice, shared), ['accepted', hidden.id])
  await alice.delete(`/api/v1/statuses/${original.id}`)
  for (const who of [bob, anonymous]) assert.deepEqual(await seenBy(who, id), ['deleted', null])
})

test('quotes are listed, newest first, without excluded ones', async t => {
  const { alice, bob, carol, dave, anonymous, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const original = await alice.postStatus('original')
  const path = `/api/v1/statuses/${original.id}/quotes`
  const first = await quote(bob, original.id)
  const second = await quote(carol, original.id)
  const third = await quote(bob, original.id, { visibility: 'private' })
  const idsOf = (response: { json: unknown }): string[] => entities(response.json).map(one => one.id)
  assert.deepEqual(idsOf(await alice.get(path)), [third.id, second.id, first.id])
  assert.deepEqual(idsOf(await dave.get(path)), [second.id, first.id])
  await relate(server, 'mutes', dave, carol)
  assert.deepEqual(idsOf(await dave.get(path)), [first.id])
  const page = await alice.get(path, { limit: '2' })
  const [row] = await sql(server, 'select id::text from quotes where status_id = $1', [second.id])
  const next = linkOf(page, 'next')
  assert.match(String(next), new RegExp(`max_id=${String(row?.['id'])}`))
  assert.deepEqual(idsOf(await alice.get(next ?? '')), [first.id])
  assert.match(String(linkOf(page, 'prev')), /since_id=/)
  assert.equal((await anonymous.get(path)).status, 401)
  assert.equal((await alice.get('/api/v1/statuses/1/quotes')).status, 404)
})

test('quotes by accounts that a reader mutes or blocks are left out before the page is cut, also for own statuses', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const original = await alice.postStatus('original')
  const path = `/api/v1/statuses/${original.id}/quotes`
  const kept = await quote(dave, original.id)
  await quote(bob, original.id)
  await quote(carol, original.id)
  await relate(server, 'mutes', alice, bob)
  await relate(server, 'blocks', carol, alice)
  for (const limit of ['1', '2', '20']) {
    const page = await alice.get(path, { limit })
    assert.deepEqual(
      entities(page.json).map(one => one.id),
      [kept.id],
    )
  }
  await relate(server, 'mutes', bob, carol)
  const page = await bob.get(path, { limit: '2' })
  assert.equal(entities(page.json).length, 2)
})

test('the quoted author revokes a quote, and streams send it', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await carol.follow(bob)
  const original = await alice.postStatus('original')
  const other = await alice.postStatus('other')
  const { id } = await quote(bob, original.id)
  const path = `/api/v1/statuses/${original.id}/quotes/${id}/revoke`
  const foreign = await bob.post(path)
  assert.deepEqual([foreign.status, errorOf(foreign)], [403, 'This action is not allowed'])
  const wrong = await alice.post(`/api/v1/statuses/${other.id}/quotes/${id}/revoke`)
  assert.deepEqual([wrong.status, errorOf(wrong)], [404, 'Record not found'])
  assert.equal((await alice.post(`/api/v1/statuses/1/quotes/${id}/revoke`)).status, 404)
  const socket = await openSocket(server, carol.token, 'user')
  t.after(() => socket.close())
  const revoked = entity((await alice.post(path)).json)
  assert.deepEqual([revoked.id, quoteOf(revoked)], [id, { state: 'revoked', quoted_status: null }])
  const told = entity((await socket.next('status.update')).payload)
  assert.deepEqual([told.id, quoteOf(told)], [id, { state: 'revoked', quoted_status: null }])
  assert.equal(entity((await carol.get(`/api/v1/statuses/${original.id}`)).json)['quotes_count'], 0)
  assert.deepEqual((await alice.get(`/api/v1/statuses/${original.id}/quotes`)).json, [])
  assert.equal((await alice.post(path)).status, 200)
  const gone = entity((await bob.delete(`/api/v1/statuses/${id}`)).json)
  assert.equal(
    entity(quoteOf(gone)['quoted_status']).id,
    original.id,
    'the answer of a deletion shows it whatever the state',
  )
})

test('a quoting author is notified of an edit; an edit of the quoting status keeps the quote', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const original = await alice.postStatus('original')
  const quoting = await quote(bob, original.id)
  const socket = await openSocket(server, bob.token, 'user:notification')
  t.after(() => socket.close())
  await alice.put(`/api/v1/statuses/${original.id}`, { status: 'other' })
  const received = entity((await socket.next('notification')).payload)
  assert.deepEqual([received['type'], entity(received['status']).id], ['quoted_update', quoting.id])
  const blank = entity((await bob.put(`/api/v1/statuses/${quoting.id}`, { status: '', spoiler_text: 'cw' })).json)
  assert.deepEqual([blank['spoiler_text'], quoteOf(blank)['state']], ['cw', 'accepted'])
  assert.match(String(blank['content']), /RE:/)
  const history = entities((await alice.get(`/api/v1/statuses/${quoting.id}/history`)).json)
  assert.deepEqual(
    history.map(version => quoteOf(version)['state']),
    ['accepted', 'accepted'],
  )
})

test('a scheduled quote is created when it is due', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const original = await alice.postStatus('original')
  const { id } = await bob
    .post('/api/v1/statuses', {
      quoted_status_id: original.id,
      scheduled_at: new Date(Date.now() + 3_600_000),
    })
    .then(response => entity(response.json))
  const socket = await openSocket(server, bob.token, 'user')
  t.after(() => socket.close())
  await publishNow(server, id)
  const posted = entity((await socket.next('update')).payload)
  assert.equal(entity(quoteOf(posted)['quoted_status']).id, original.id)
})
