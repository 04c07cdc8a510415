import assert from 'node:assert/strict'
import { test } from 'tap'
import { NOTIFICATION_TYPES } from '../../src/notifications/index.ts'
import { TYPES_WITH_STATUS } from '../../src/notifications/type.ts'
import type { ClientResponse } from '../support/client.ts'
import { people, sql, waitForEventLog, type Person } from '../support/people.ts'
import { notified } from './notified.ts'

const V2 = '/api/v2/notifications'

/** Creates one notification of each type by bob; returns their ids by type. */
async function notifyOfAll(alice: Person, bob: Person): Promise<Map<string, string>> {
  const status = await alice.postStatus('hello')
  const made = NOTIFICATION_TYPES.map((type, at) => ({
    type,
    status: TYPES_WITH_STATUS.has(type) ? status.id : null,
    at,
  }))
  await sql(
    alice.server,
    `select notify($1, $2, one ->> 'type', (one ->> 'status')::bigint, (one ->> 'at')::bigint + 1) from jsonb_array_elements($3::jsonb) one`,
    [alice.id, bob.id, JSON.stringify(made)],
  )
  return new Map((await notified(alice)).map(({ type, id }) => [type, id]))
}

interface Grouped {
  notification_groups: { type: string; group_key: string }[]
}

const typesOf = (response: ClientResponse): string[] => (response.json as { type: string }[]).map(({ type }) => type)
const groupTypesOf = (response: ClientResponse): string[] =>
  (response.json as Grouped).notification_groups.map(({ type }) => type)

test('every type can be selected and excluded in lists, groups and counts', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const ids = await notifyOfAll(alice, bob)
  const all = [...NOTIFICATION_TYPES].reverse()
  assert.deepEqual([...ids.keys()], all)
  for (const path of ['/api/v1/notifications/unread_count', `${V2}/unread_count`]) {
    assert.deepEqual((await alice.get(path)).json, { count: all.length })
  }
  for (const type of all) {
    const others = all.filter(one => one !== type)
    for (const [query, expected] of [
      [{ 'types[]': type }, [type]],
      [{ 'exclude_types[]': type }, others],
      [{ 'types[]': [type, 'poll'], 'exclude_types[]': 'poll' }, type === 'poll' ? [] : [type]],
    ] as const) {
      const where = `${type}: ${JSON.stringify(query)}`
      assert.deepEqual(typesOf(await alice.get('/api/v1/notifications', query)), expected, where)
      assert.deepEqual(groupTypesOf(await alice.get(V2, query)), expected, where)
      const count = { count: expected.length }
      assert.deepEqual((await alice.get('/api/v1/notifications/unread_count', query)).json, count, where)
      assert.deepEqual((await alice.get(`${V2}/unread_count`, query)).json, count, where)
    }
  }
})

/** The end of the title of each fallback, after the name of the account. */
const FALLBACKS: Readonly<Record<string, string>> = {
  severed_relationships: 'lost connections',
  moderation_warning: 'received a moderation warning',
  'admin.sign_up': 'signed up',
  'admin.report': 'sent a report',
  added_to_collection: 'added you to a collection',
  collection_update: 'edited a collection that you are in',
}

test('a client that sends its supported types gets a fallback for newer types', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const ids = await notifyOfAll(alice, bob)
  const page = `<a href="${server.config.publicUrl}/notifications">`
  for (const [type, id] of ids) {
    const shown = async (query: Record<string, string>): Promise<{ title: string; summary: string }[]> => {
      const one = await alice.get(`/api/v1/notifications/${id}`, query)
      const group = await alice.get(V2, { 'types[]': type, ...query })
      const list = await alice.get('/api/v1/notifications', { 'types[]': type, ...query })
      const alone = await alice.get(`${V2}/ungrouped-${id}`, query)
      const [listed] = list.json as object[]
      const groups = [group, alone].map(({ json }) => (json as Grouped).notification_groups[0])
      const entities = [one.json, listed, ...groups]
      return entities.flatMap(entity => (entity as { fallback?: { title: string; summary: string } }).fallback ?? [])
    }
    assert.deepEqual(await shown({}), [], `${type} for a client that sends no types`)
    assert.deepEqual(await shown({ 'supported_types[]': type }), [], `${type} for a client that supports it`)
    const fallbacks = await shown({ 'supported_types[]': 'mention' })
    const expected = FALLBACKS[type]
    assert.equal(fallbacks.length, expected === undefined ? 0 : 4, type)
    for (const { title, summary } of fallbacks) {
      const profile = `${server.config.publicUrl}/@${bob.username}`
      assert.ok(title.includes(`href="${profile}"`) && title.endsWith(`</span> ${expected}`), title)
      assert.ok(summary.includes(page), summary)
    }
  }
})

/** The types that a policy applies to. */
const INTERACTIONS = ['mention', 'reblog', 'follow', 'follow_request', 'favourite', 'quote', 'added_to_collection']

test('a policy filters or drops interactions from then on, and nothing else', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const policy = (value: string) => alice.patch('/api/v2/notifications/policy', { for_not_following: value })
  const filteredOf = async (from: Person): Promise<string[]> =>
    (await notified(alice, { account_id: from.id })).filter(one => one.filtered).map(one => one.type)
  await policy('filter')
  await notifyOfAll(alice, bob)
  assert.deepEqual((await filteredOf(bob)).toSorted(), INTERACTIONS.toSorted())
  await policy('drop')
  await notifyOfAll(alice, carol)
  const created = (await notified(alice, { account_id: carol.id })).map(({ type }) => type)
  const kept = NOTIFICATION_TYPES.filter(type => !INTERACTIONS.includes(type))
  assert.deepEqual(created, kept.toReversed())
  await policy('accept')
  assert.deepEqual((await filteredOf(bob)).toSorted(), INTERACTIONS.toSorted(), 'what was filtered stays so')
  const filtered = (await notified(alice, { account_id: bob.id })).find(one => one.filtered)
  assert.deepEqual((await alice.get(`/api/v1/notifications/${filtered?.id}`)).json, filtered)
})

test('fallbacks are in the language of the user', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await notifyOfAll(alice, bob)
  await sql(
    server,
    `with changed as (update users set locale = 'de-AT' where id = $1 returning account_id)
     insert into events (kind, account_id, data) select 'user.changed', account_id, '{"change": "preferences"}' from changed`,
    [alice.userId],
  )
  await waitForEventLog(alice)
  const query = { 'types[]': 'added_to_collection', 'supported_types[]': 'mention' }
  const [one] = (await alice.get('/api/v1/notifications', query)).json as [
    { fallback: { title: string; summary: string } },
  ]
  assert.match(one.fallback.title, /<\/span> hat Sie in eine Sammlung aufgenommen$/)
  assert.match(one.fallback.summary, /^Diese App .*>Im Web ansehen<\/a>\.$/)
})
