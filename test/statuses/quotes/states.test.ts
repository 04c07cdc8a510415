import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf, type Client } from '../../support/client.ts'
import { people, sql, waitForEventLog, type Person } from '../../support/people.ts'
import { entities, entity, errorOf, tell } from '../status_fixtures.ts'
import { quote, quoteOf, seenBy } from './quote_fixtures.ts'

const HIDDEN = [null, 'unauthorized', 'deleted', 'pending', 'rejected', 'revoked']

test('a quote has a state for each viewer, whatever was stored and whoever blocks or mutes whom', async t => {
  const names = ['author', 'quoter', 'blocked', 'blocker', 'muter', 'shunner', 'both', 'expired', 'stranger'] as const
  const all = await people(t, ...names)
  const { author, quoter, blocked, blocker, muter, shunner, both, expired, stranger, anonymous, server } = all
  const original = await author.postStatus('original')
  const { id } = await quote(quoter, original.id)
  const { id: nested } = await quote(quoter, id)
  const act = (who: Person, what: string, body = {}) => who.post(`/api/v1/accounts/${author.id}/${what}`, body)
  await author.post(`/api/v1/accounts/${blocked.id}/block`)
  for (const who of [blocker, both]) await act(who, 'block')
  for (const who of [muter, both]) await act(who, 'mute')
  await act(expired, 'mute', { duration: 3600 })
  await tell(server, `update mutes set expires_at = now() - interval '1 minute' where account_id = $1`, [expired.id])
  // As if the author were of another server, which has responded.
  await tell(server, `update accounts set domain = 'far.example' where id = $1`, [author.id])
  for (const who of [shunner, both])
    assert.equal((await who.post('/api/v1/domain_blocks', { domain: 'far.example' })).status, 200)
  await waitForEventLog(quoter)
  const expected: [string, Client, string][] = [
    ['author', author, 'accepted'],
    ['quoter', quoter, 'accepted'],
    ['stranger', stranger, 'accepted'],
    ['anonymous', anonymous, 'accepted'],
    ['blocked', blocked, 'unauthorized'],
    ['blocker', blocker, 'blocked_account'],
    ['muter', muter, 'muted_account'],
    ['expired', expired, 'accepted'],
    ['shunner', shunner, 'blocked_domain'],
    ['both', both, 'blocked_domain'],
  ]
  const check = async (stored: string, stateFor: (accepted: string) => string): Promise<void> => {
    for (const [name, viewer, accepted] of expected) {
      const state = stateFor(accepted)
      const given = HIDDEN.includes(state) ? null : original.id
      assert.deepEqual(await seenBy(viewer, id), [state, given], `${stored} for ${name}`)
      const outer = quoteOf((await viewer.get(`/api/v1/statuses/${nested}`)).json)
      const shallow = entity(entity(outer['quoted_status'])['quote'])
      assert.deepEqual(shallow, { state, quoted_status_id: given }, `${stored} for ${name}, one level down`)
    }
  }
  await check('accepted', accepted => accepted)
  const store = async (state: string): Promise<void> => {
    await tell(
      server,
      `with changed as (update quotes set state = $2 where status_id = $1 returning status_id)
       insert into events (kind, status_id) select 'status.counted', changed.status_id from changed`,
      [id, state],
    )
    await waitForEventLog(quoter)
  }
  for (const state of ['pending', 'rejected', 'revoked']) {
    await store(state)
    await check(state, () => state)
  }
  await store('accepted')
  await tell(server, `update accounts set domain = null where id = $1`, [author.id])
  await author.delete(`/api/v1/statuses/${original.id}`)
  await check('accepted and deleted', () => 'deleted')
  await tell(server, 'delete from statuses where id = $1', [original.id])
  await check('accepted and purged', () => 'deleted')
})

test('which quotes are allowed, and how they are stored', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  await bob.follow(alice)
  await alice.follow(carol)
  await alice.post(`/api/v1/accounts/${dave.id}/block`)
  const policies = ['public', 'followers', 'nobody'] as const
  const visibilities = ['public', 'unlisted', 'private', 'direct'] as const
  for (const policy of policies) {
    for (const visibility of visibilities) {
      const text = `for @${bob.username} @${carol.username}`
      const status = await alice.postStatus(text, { visibility, quote_approval_policy: policy })
      const open = visibility === 'public' || visibility === 'unlisted'
      const automatic = !open || policy === 'nobody' ? [] : [policy]
      const may = {
        alice: visibility !== 'direct',
        bob: open && policy !== 'nobody',
        carol: open && policy === 'public',
      }
      for (const [who, allowed] of [
        [alice, may.alice],
        [bob, may.bob],
        [carol, may.carol],
      ] as const) {
        const about = `${who.username} ${visibility} ${policy}`
        const seen = entity((await who.get(`/api/v1/statuses/${status.id}`)).json)
        const current_user = allowed ? 'automatic' : 'denied'
        assert.deepEqual(seen['quote_approval'], { automatic, manual: [], current_user }, about)
        const tried = await who.post('/api/v1/statuses', { status: 'x', quoted_status_id: status.id })
        assert.equal(tried.status, allowed ? 200 : 404, `${about} ${tried.text}`)
        if (allowed) assert.equal(entity(tried.json)['visibility'], visibility === 'private' ? 'private' : 'public')
      }
      const refused = await dave.post('/api/v1/statuses', { status: 'x', quoted_status_id: status.id })
      assert.equal(errorOf(refused), 'The post you are trying to quote does not appear to exist.')
    }
  }
  const own = await alice.postStatus('for followers', { visibility: 'private' })
  for (const [asked, stored] of [
    ['public', 'private'],
    ['unlisted', 'private'],
    ['private', 'private'],
    ['direct', 'direct'],
  ]) {
    const made = await quote(alice, own.id, { visibility: asked, quote_approval_policy: 'public' })
    assert.equal(made['visibility'], stored)
    assert.deepEqual(entity(made['quote_approval'])['automatic'], [])
  }
  // The quote of a follower is accepted, without a mention.
  const open = await alice.postStatus('open')
  const closed = await quote(bob, open.id, { visibility: 'private' })
  assert.deepEqual([(await alice.get(`/api/v1/statuses/${closed.id}`)).status, closed['mentions']], [200, []])
  assert.equal((await carol.get(`/api/v1/statuses/${closed.id}`)).status, 404)
  const [stored] = await sql(server, 'select silent from mentions where status_id = $1', [closed.id])
  assert.deepEqual(stored, { silent: true })
})

test('the policy of a status is changed, and streams that have it send a real change', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const status = await alice.postStatus('quotable')
  const path = `/api/v1/statuses/${status.id}/interaction_policy`
  const stream = await bob.stream('user')
  const { id: quoting } = await quote(bob, status.id)
  await tell(server, `update users set preferences = '{"default_quote_policy": "followers"}' where id = $1`, [
    alice.userId,
  ])
  await tell(server, `insert into events (kind, account_id) values ('user.changed', $1)`, [alice.id])
  await waitForEventLog(alice)
  const steps = [
    [{ quote_approval_policy: 'nobody' }, [], true],
    [{ quote_approval_policy: 'nobody' }, [], false],
    [{}, ['followers'], true],
    [{ quote_approval_policy: 'public' }, ['public'], true],
  ] as const
  for (const [body, automatic, told] of steps) {
    const changed = entity((await alice.patch(path, body)).json)
    const mark = await alice.postStatus('mark')
    const received = await stream.upTo('update', ({ payload }) => entity(payload).id === mark.id)
    const updates = received.filter(({ event }) => event === 'status.update')
    assert.deepEqual([changed['edited_at'], entity(changed['quote_approval'])['automatic']], [null, automatic])
    assert.deepEqual(
      updates.map(({ payload }) => [entity(payload).id, entity(entity(payload)['quote_approval'])['automatic']]),
      told ? [[status.id, automatic]] : [],
    )
  }
  assert.equal((await seenBy(bob, quoting))[0], 'accepted', 'what was quoted before stays')
  assert.equal(entities((await bob.get(`/api/v1/statuses/${status.id}/history`)).json).length, 1)
  assert.equal((await bob.patch('/api/v1/statuses/1/interaction_policy', {})).status, 404)
  const secret = await alice.postStatus('secret', { visibility: 'private' })
  const kept = entity(
    (await alice.put(`/api/v1/statuses/${secret.id}`, { status: 'x', quote_approval_policy: 'public' })).json,
  )
  assert.deepEqual(entity(kept['quote_approval'])['automatic'], [], 'also by an edit')
})

test('pages of quotes are cut after muted accounts and before invisible quotes are left out', async t => {
  const { alice, bob, carol, dave, erin } = await people(t, 'alice', 'bob', 'carol', 'dave', 'erin')
  const original = await alice.postStatus('original')
  const ids: string[] = []
  for (const who of [bob, carol, erin, bob, erin, carol, carol]) {
    // Carol's quotes are invisible to dave, because he does not follow her.
    ids.unshift((await quote(who, original.id, who === carol ? { visibility: 'private' } : {})).id)
  }
  await dave.post(`/api/v1/accounts/${erin.id}/mute`)
  const path = `/api/v1/statuses/${original.id}/quotes`
  const read = async (from: string) => {
    const response = await dave.get(from)
    return {
      ids: entities(response.json).map(one => one.id),
      next: linkOf(response, 'next'),
      prev: linkOf(response, 'prev'),
    }
  }
  const first = await read(`${path}?limit=2`)
  assert.deepEqual(first.ids, [], 'two of carol')
  const second = await read(first.next ?? '')
  assert.deepEqual(second.ids, [ids[3]], 'one of bob and one of carol; those of erin take no place')
  const third = await read(second.next ?? '')
  assert.deepEqual([third.ids, third.next], [[ids[6]], undefined])
  assert.deepEqual((await read(third.prev ?? '')).ids, [], 'the newest ones above it')
  assert.deepEqual((await read(`${path}?limit=0`)).ids, [])
  await alice.post(`${path}/${ids[3]}/revoke`)
  assert.deepEqual((await read(path)).ids, [ids[6]])
})
