import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { compileFilters } from '../../../src/statuses/filters/index.ts'
import { admitPublic, type PublicFacts, type PublicRules } from '../../../src/timelines/streams/rules.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import type { StreamMessage } from '../../support/socket.ts'

const NOW = 1_000_000
const AUTHOR = '5'
const FACTS: PublicFacts = { local: true, domain: null, language: 'en', mentions: ['6'] }

const NO_FILTERS = await compileFilters([])

interface Input {
  facts?: Partial<PublicFacts>
  relations?: Partial<PublicRules['person']['relations']>
  languages?: string[]
  parts?: { local: boolean; remote: boolean }
}

function admits({ facts, relations, languages, parts }: Input): boolean {
  const person: PublicRules['person'] = {
    chosenLanguages: languages ?? null,
    isFunctional: true,
    viewsFeeds: false,
    relations: {
      owner: '1',
      follows: new Map(),
      tags: new Map(),
      blocks: new Set(),
      blockedBy: new Set(),
      mutes: new Map(),
      domains: new Set(),
      lists: new Map(),
      exclusive: new Set(),
      groupsBoosts: true,
      followTimes: Buffer.alloc(0),
      tagsFollowedMs: new Map(),
      newestFollowMs: 0,
      ...relations,
    },
    filters: NO_FILTERS,
  }
  return admitPublic(AUTHOR, { ...FACTS, ...facts }, { person, local: true, remote: true, ...parts }, NOW)
}

test('a reader without preferences receives everything', async () => {
  assert.equal(admits({}), true)
  assert.equal(admits({ facts: { local: false, domain: 'far.example', language: null } }), true)
})

test('feed access depends on the origin of a status', async () => {
  const remote = { local: false, domain: 'far.example' }
  assert.equal(admits({ parts: { local: false, remote: true } }), false)
  assert.equal(admits({ parts: { local: true, remote: false } }), true)
  assert.equal(admits({ facts: remote, parts: { local: true, remote: false } }), false)
})

test('with chosen languages only statuses in them are sent', async () => {
  assert.equal(admits({ languages: ['de', 'en'] }), true)
  assert.equal(admits({ languages: ['de'] }), false)
  assert.equal(admits({ languages: ['de'], facts: { language: null } }), false)
})

test('blocks apply in both directions, mutes until they expire, and both also to mentioned accounts', async () => {
  for (const id of [AUTHOR, '6']) {
    assert.equal(admits({ relations: { blocks: new Set([id]) } }), false)
    assert.equal(admits({ relations: { mutes: new Map([[id, Number.POSITIVE_INFINITY]]) } }), false)
    assert.equal(admits({ relations: { mutes: new Map([[id, NOW + 1]]) } }), false)
    assert.equal(admits({ relations: { mutes: new Map([[id, NOW]]) } }), true)
  }
  assert.equal(admits({ relations: { blockedBy: new Set([AUTHOR]) } }), false)
  assert.equal(admits({ relations: { blockedBy: new Set(['6']) } }), true)
  assert.equal(admits({ relations: { blocks: new Set(['7']) } }), true)
})

test('a blocked domain excludes its authors', async () => {
  const facts = { local: false, domain: 'far.example' }
  assert.equal(admits({ facts, relations: { domains: new Set(['far.example']) } }), false)
  assert.equal(admits({ facts, relations: { domains: new Set(['other.example']) } }), true)
})

const idIn = ({ payload }: StreamMessage): string => (payload as { id: string }).id

/** The ids that arrive up to a post that always arrives. */
async function until(
  who: Person,
  stream: { upTo: (event: string, fits: (m: StreamMessage) => boolean) => Promise<StreamMessage[]> },
) {
  const { id } = await who.postStatus('#rules the end')
  return (await stream.upTo('update', message => idIn(message) === id)).slice(0, -1).map(idIn)
}

test('blocks, mutes and their ends apply from the next event of an open stream on', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const stream = await alice.stream('hashtag', { tag: 'rules' })
  const expectStatus = async (expected: boolean, why: string): Promise<void> => {
    const { id } = await bob.postStatus(`#rules ${why}`)
    assert.deepEqual(await until(carol, stream), expected ? [id] : [], why)
  }
  await expectStatus(true, 'before')
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  await expectStatus(false, 'muted')
  await alice.post(`/api/v1/accounts/${bob.id}/unmute`)
  await expectStatus(true, 'unmuted')
  await bob.post(`/api/v1/accounts/${alice.id}/block`)
  await expectStatus(false, 'blocked by')
  await bob.post(`/api/v1/accounts/${alice.id}/unblock`)
  await expectStatus(true, 'unblocked')
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  await expectStatus(false, 'blocked')
})

test('languages that are chosen while a stream is open apply', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const stream = await alice.stream('hashtag', { tag: 'languages' })
  await sql(
    server,
    `with changed as (update users set chosen_languages = '{de}' where account_id = $1 returning account_id)
     insert into events (kind, account_id, data) select 'user.changed', account_id, '{"change": "preferences"}' from changed`,
    [alice.id],
  )
  await bob.postStatus('#languages english', { language: 'en' })
  const { id } = await bob.postStatus('#languages deutsch', { language: 'de' })
  assert.deepEqual((await stream.upTo('update')).map(idIn), [id])
})

test('filters are matched for each reader and apply at once when they change', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const streams = [await alice.stream('hashtag', { tag: 'filters' }), await carol.stream('hashtag', { tag: 'filters' })]
  const filtered = async (text: string): Promise<unknown[]> => {
    const { id } = await bob.postStatus(`#filters ${text}`)
    return Promise.all(
      streams.map(async stream => {
        const { payload } = await stream.next('update', message => idIn(message) === id)
        return (payload as { filtered: { keyword_matches: string[] | null }[] }).filtered
      }),
    )
  }
  assert.deepEqual(await filtered('no filter yet: onions'), [[], []])
  const [made] = await sql(
    server,
    `insert into filters (account_id, title, contexts, action) values ($1, 'food "x"', '{public}', 'blur') returning id::text as id`,
    [alice.id],
  )
  await sql(
    server,
    `with made as (insert into filter_keywords (filter_id, keyword) values ($2, 'onions'))
     insert into events (kind, account_id) values ('filters.changed', $1)`,
    [alice.id, made?.['id']],
  )
  const [matched, none] = await filtered('I like onions')
  assert.deepEqual(none, [])
  assert.deepEqual(matched, [
    {
      filter: { id: made?.['id'], title: 'food "x"', context: ['public'], expires_at: null, filter_action: 'blur' },
      keyword_matches: ['onions'],
      status_matches: null,
    },
  ])
  assert.deepEqual(await filtered('I like leek'), [[], []])
})

interface Change {
  readonly key: 'local_live_feed_access' | 'limited_federation_mode'
  readonly value: unknown
  /** The value at the end of the test. */
  readonly usual: unknown
}

const feedAccess = (value: string): Change => ({ key: 'local_live_feed_access', value, usual: 'public' })

/** Changes a setting until the end of the test. */
async function changeSetting(
  t: Test,
  server: TestServer,
  readers: readonly Person[],
  { key, value, usual }: Change,
): Promise<void> {
  const change = async (changed: unknown): Promise<void> => {
    await sql(
      server,
      `with changed as (
         insert into settings (key, value) values ($1, $2::jsonb)
         on conflict (key) do update set value = excluded.value returning key
       ) insert into events (kind, data) select 'settings.changed', jsonb_build_object('key', key) from changed`,
      [key, JSON.stringify(changed)],
    )
    // Streams lag behind the event: once this message has arrived, the change has been applied.
    for (const reader of readers) {
      const stream = await reader.stream('user')
      await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [reader.id])
      await stream.next('filters_changed')
    }
  }
  await change(value)
  t.after(() => change(usual))
}

test('a disabled feed needs a permission', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  await changeSetting(t, server, [alice], feedAccess('disabled'))
  const [closed, open, topic] = [
    await alice.stream('public'),
    await moderator.stream('public'),
    await alice.stream('hashtag', { tag: 'topic' }),
  ]
  const { id } = await bob.postStatus('#topic')
  assert.equal(idIn(await open.next('update', message => idIn(message) === id)), id)
  assert.equal(idIn(await topic.next('update')), id)
  await bob.delete(`/api/v1/statuses/${id}`)
  const messages = await closed.upTo('delete', ({ payload }) => payload === id)
  assert.ok(messages.every(({ event }) => event === 'delete'))
})

for (const change of [
  feedAccess('authenticated'),
  { key: 'limited_federation_mode', value: true, usual: false } as const,
])
  test(`those who are not confirmed yet cannot follow public streams: ${change.key}`, async t => {
    const { alice, bob, server } = await people(t, 'alice', 'bob')
    const waiting = await person(server, 'waiting', { user: { confirmed_at: null } })
    t.after(() => waiting.close())
    const stream = await waiting.stream('public:local')
    const before = await bob.postStatus('for everybody')
    await stream.next('update', message => idIn(message) === before.id)
    await changeSetting(t, server, [alice, waiting], change)
    const [open, late] = [await alice.stream('public:local'), await waiting.stream('public')]
    const { id } = await bob.postStatus('for users')
    await open.next('update', message => idIn(message) === id)
    await bob.delete(`/api/v1/statuses/${id}`)
    for (const closed of [stream, late]) {
      const messages = await closed.upTo('delete', ({ payload }) => payload === id)
      assert.ok(messages.every(({ event }) => event === 'delete'))
    }
    await sql(
      server,
      `with changed as (update users set confirmed_at = now() where account_id = $1 returning account_id)
       insert into events (kind, account_id, data)
       select 'user.changed', account_id, '{"change": "confirmed"}' from changed`,
      [waiting.id],
    )
    const after = await bob.postStatus('for users, again')
    for (const opened of [stream, late]) await opened.next('update', message => idIn(message) === after.id)
  })
