import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { test, type Test } from 'tap'
import { obfuscate } from '../../src/instance/domain_blocks.ts'
import { Client, type ClientResponse } from '../support/client.ts'
import { fakeTimers } from '../support/fake_timers.ts'
import { makeToken, person, sql, uncachedAnonymous } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Changes the database as another process does, with an event. */
const change = (server: TestServer, statement: string, values: unknown[] = []): Promise<unknown> =>
  sql(
    server,
    `with done as (${statement} returning 1) insert into events (kind) select distinct 'instance.changed' from done`,
    values,
  )

const setTo = (server: TestServer, key: string, value: unknown): Promise<unknown> =>
  sql(
    server,
    `with made as (
       insert into settings (key, value) values ($1, $2::jsonb)
       on conflict (key) do update set value = excluded.value returning key
     )
     insert into events (kind, data) select 'settings.changed', jsonb_build_object('keys', jsonb_build_array(made.key)) from made`,
    [key, JSON.stringify(value)],
  )

/** Repeats a request until its response fits: changes by other processes arrive as events. */
async function until(
  ask: () => Promise<ClientResponse>,
  fits: (response: ClientResponse) => boolean,
): Promise<ClientResponse> {
  let response = await ask()
  for (let tries = 0; !fits(response) && tries < 500; tries += 1) response = await ask()
  return response
}

const TERMS = '/api/v1/instance/terms_of_service'
const DAY_MS = 86_400_000
const day = (fromToday: number): string => new Date(Date.now() + fromToday * DAY_MS).toISOString().slice(0, 10)

test('the current terms are those with the latest past date, and drafts are hidden', async t => {
  const server = await startServer(t)
  const anonymous = new Client(server)
  const none = await anonymous.get(TERMS)
  assert.deepEqual([none.status, none.json], [404, { error: 'Record not found' }])
  const add = (text: string, effective: string, published: boolean): Promise<unknown> =>
    change(server, 'insert into terms_of_service (text, effective_date, published_at) values ($1, $2, $3)', [
      text,
      effective,
      published ? new Date() : null,
    ])
  await add('To *come* at %{domain}', day(9), true)
  const first = await until(
    () => anonymous.get(TERMS),
    ({ status }) => status === 200,
  )
  assert.deepEqual(first.json, {
    effective_date: day(9),
    effective: false,
    content: `<p>To <em>come</em> at ${server.config.localDomain}</p>`,
    succeeded_by: null,
  })
  await add('Old', day(-20), true)
  await add('New', day(-3), true)
  await add('A draft', day(-1), false)
  const current = await until(
    () => anonymous.get(TERMS),
    ({ text }) => text.includes('New'),
  )
  assert.deepEqual(current.json, {
    effective_date: day(-3),
    effective: true,
    content: '<p>New</p>',
    succeeded_by: day(9),
  })
  const old = (await anonymous.get(`${TERMS}/${day(-20)}`)).json as { content: string; succeeded_by: string }
  assert.deepEqual([old.content, old.succeeded_by], ['<p>Old</p>', day(-3)])
  for (const missing of [day(-1), day(-2), 'never'])
    assert.equal((await anonymous.get(`${TERMS}/${missing}`)).status, 404)
  const instance = (await uncachedAnonymous(server).get('/api/v2/instance')).json as {
    configuration: { urls: { terms_of_service: string } }
  }
  assert.equal(instance.configuration.urls.terms_of_service, `${server.url}/terms-of-service`)
})

test('an obfuscated domain keeps its first and last characters and its dots', async () => {
  assert.equal(obfuscate('example.com'), 'exa****.*om')
  assert.equal(obfuscate('bad.example'), 'bad.*****le')
})

async function blocked(t: Test): Promise<TestServer> {
  const server = await startServer(t)
  await change(
    server,
    `insert into domain_blocks (domain, severity, public_comment, obfuscate) values
     ('bad.example', 'suspend', 'spam', false), ('loud.example', 'silence', '', true), ('odd.example', 'noop', '', false)`,
  )
  return server
}

const BLOCKS = '/api/v1/instance/domain_blocks'

test('the settings decide who sees the moderated domains', async t => {
  const server = await blocked(t)
  const anonymous = new Client(server)
  const alice = await person(server, 'alice')
  const disabled = await person(server, 'disabled', { user: { disabled: true } })
  const unapproved = await person(server, 'unapproved', { user: { approved: false } })
  const unconfirmed = await person(server, 'unconfirmed', { user: { confirmed_at: null } })
  const scopeless = await person(server, 'scopeless', { scopes: [] })
  const moved = await person(server, 'moved', { account: { moved_to_account_id: alice.id } })
  const suspended = await person(server, 'suspended', { account: { suspended_at: new Date() } })
  const hidden = await alice.get(BLOCKS)
  assert.deepEqual([hidden.status, hidden.text], [404, ''])
  await setTo(server, 'show_domain_blocks', 'users')
  await until(
    () => alice.get(BLOCKS),
    ({ status }) => status === 200,
  )
  const statuses = await Promise.all(
    [anonymous, alice, disabled, unapproved, unconfirmed, moved, scopeless, suspended].map(
      async who => (await who.get(BLOCKS)).status,
    ),
  )
  assert.deepEqual(statuses, [404, 200, 404, 404, 404, 200, 200, 403])
  await setTo(server, 'show_domain_blocks', 'all')
  const shown = await until(
    () => anonymous.get(BLOCKS),
    ({ status }) => status === 200,
  )
  const digest = (domain: string): string => createHash('sha256').update(domain).digest('hex')
  assert.deepEqual(shown.json, [
    { domain: obfuscate('loud.example'), digest: digest('loud.example'), severity: 'silence', comment: null },
    { domain: 'bad.example', digest: digest('bad.example'), severity: 'suspend', comment: null },
  ])
  assert.match(shown.headers.get('cache-control') ?? '', /^max-age=300, public/)
  assert.doesNotMatch(shown.headers.get('vary') ?? '', /Authorization/)
  await setTo(server, 'show_domain_blocks_rationale', 'users')
  const reasoned = await until(
    () => alice.get(BLOCKS),
    ({ text }) => text.includes('spam'),
  )
  assert.equal(reasoned.headers.get('cache-control'), 'private, no-store')
  assert.doesNotMatch((await anonymous.get(BLOCKS)).text, /spam/)
})

test('the weekly activity sums days and includes deleted statuses', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  await sql(
    server,
    `select count_by_day(given.counter::day_counter, (now() at time zone 'UTC')::date - given.days, given.amount)
     from (values ('statuses', 7, 5), ('registrations', 7, 2), ('statuses', 3, 4), ('registrations', 3, 1))
       given (counter, days, amount)`,
  )
  await sql(server, `insert into active_days (day, user_id) values ((now() at time zone 'UTC')::date - 7, $1)`, [
    alice.userId,
  ])
  const { id } = await alice.postStatus('today')
  await alice.delete(`/api/v1/statuses/${id}`)
  const weeks = (await uncachedAnonymous(server).get('/api/v1/instance/activity')).json as Record<string, string>[]
  assert.equal(weeks.length, 12)
  assert.deepEqual(
    weeks.slice(0, 2).map(({ statuses, registrations }) => [statuses, registrations]),
    [
      ['1', '1'],
      ['9', '3'],
    ],
  )
  assert.equal(weeks[1]?.['logins'], '1')
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (const [index, { week }] of weeks.entries()) {
    const ageDays = (today - Number(week) * 1000) / DAY_MS
    assert.ok(typeof week === 'string' && ageDays === 7 * index, `week ${index} begins ${ageDays} days ago`)
  }
})

test('peers are remote and allowed domains, without moderated ones', async t => {
  const server = await blocked(t)
  await sql(
    server,
    `insert into accounts (username, domain, uri) values ('a', 'bad.example', 'x'), ('b', 'far.example', 'y'), ('c', 'odd.example', 'z')`,
  )
  await sql(server, `insert into domain_allows (domain) values ('friend.example')`)
  assert.deepEqual((await uncachedAnonymous(server).get('/api/v1/instance/peers')).json, [
    'far.example',
    'friend.example',
  ])
})

test('an operator can switch the list of peers off', async t => {
  const server = await startServer(t, { settings: { peers_api_enabled: false } })
  const { status, text } = await uncachedAnonymous(server).get('/api/v1/instance/peers')
  assert.deepEqual([status, text], [404, ''])
})

test('the documents of the instance are the same for everybody', async t => {
  const server = await startServer(t, {
    settings: { closed_registrations_message: 'Later', registrations_mode: 'open' },
  })
  const alice = await person(server, 'alice')
  const app = await makeToken(server, null)
  const tokens = [undefined, 'unknown', alice.token, app]
  for (const path of ['/api/v2/instance', '/api/v1/instance', '/api/v1/instance/languages']) {
    const texts = new Set<string>()
    for (const token of tokens) {
      const { status, text } = await new Client(server, token).get(path, { lang: 'de' })
      assert.equal(status, 200, path)
      texts.add(text)
    }
    assert.equal(texts.size, 1, path)
  }
  const v2 = (await alice.get('/api/v2/instance')).json as { registrations: { enabled: boolean; message: unknown } }
  assert.deepEqual([v2.registrations.enabled, v2.registrations.message], [true, null])
  const v1 = (await alice.get('/api/v1/instance')).json as { uri: string; urls: { streaming_api: string } }
  assert.deepEqual([v1.uri, v1.urls.streaming_api], [server.config.localDomain, server.url.replace(/^http/, 'ws')])
  assert.deepEqual((await alice.get('/api/v1/instance/rules')).json, [])
})

const LANGUAGES = new URL('../../../shared/api/languages.json', import.meta.url)

test('the languages are those of the contract', { skip: !existsSync(LANGUAGES) }, async t => {
  const server = await startServer(t)
  const { languages } = JSON.parse(readFileSync(LANGUAGES, 'utf8')) as { languages: { code: string; name: string }[] }
  const wanted = languages.map(({ code, name }) => ({ code, name }))
  assert.deepEqual((await new Client(server).get('/api/v1/instance/languages')).json, wanted)
})

test('the year in review is announced from 10 to 31 December', async t => {
  const server = await startServer(t)
  const ask = async (now: number): Promise<unknown> => {
    fakeTimers(t).enable({ apis: ['Date'], now })
    const { json } = await uncachedAnonymous(server).get('/api/v2/instance')
    fakeTimers(t).reset()
    return (json as { wrapstodon: unknown }).wrapstodon
  }
  for (const [now, year] of [
    [Date.UTC(2033, 11, 9, 23, 59), null],
    [Date.UTC(2033, 11, 10, 0, 1), 2033],
    [Date.UTC(2033, 11, 31, 23, 59), 2033],
    [Date.UTC(2034, 0, 1, 0, 1), null],
  ] as const)
    assert.equal(await ask(now), year, new Date(now).toISOString())
})

test('known domains are found by the beginning of their names', async t => {
  const server = await blocked(t)
  await sql(
    server,
    `insert into accounts (username, domain, uri) values ('a', 'bad.example', 'x'), ('b', 'far.example', 'y'), ('c', 'fair.example', 'z'),
       ('d', '1337.example', 'w'), ('e', 'xn--mnchen-3ya.example', 'v')`,
  )
  const found = async (query: Record<string, string>): Promise<unknown> => {
    const { status, json } = await new Client(server).get('/api/v1/peers/search', query)
    assert.equal(status, 200)
    return (json as string[]).toSorted()
  }
  for (const [q, domains] of [
    ['far.example', ['far.example']],
    ['FA', ['fair.example', 'far.example']],
    ['bad', []],
    ['1337', ['1337.example']],
    ['13', ['1337.example']],
    ['xn--m', ['xn--mnchen-3ya.example']],
    ['münchen.example', ['xn--mnchen-3ya.example']],
    ['', []],
    [' ', []],
    ['ftp://Invalid-Host!!.valüe', []],
  ] as const)
    assert.deepEqual(await found({ q }), domains, q)
  assert.deepEqual(await found({}), [])
})

test('the built-in pictures have the sizes that the document declares', async t => {
  const server = await startServer(t)
  const { json } = await new Client(server).get('/api/v2/instance')
  const { thumbnail, icon, source_url } = json as {
    thumbnail: { url: string }
    icon: { src: string; size: string }[]
    source_url: string
  }
  assert.deepEqual(Object.keys(thumbnail), ['url', 'description'])
  assert.ok(URL.canParse(source_url))
  for (const { src, size } of icon) {
    const { width, height } = await sharp(Buffer.from(await (await fetch(src)).arrayBuffer())).metadata()
    assert.equal(`${width}x${height}`, size)
  }
})
