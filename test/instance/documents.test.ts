import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { test, type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { becomes, openPair } from '../platform/settings/pair.ts'
import { Client } from '../support/client.ts'
import { sql } from '../support/people.ts'

/* The documents of the instance, changed on the command line and read at two processes. */

/** Without a prerelease part, because that would sort before the release (semver.org). */
const SEMANTIC_VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)\+millrace-[0-9A-Za-z.-]+$/

const clientsOf = (servers: readonly { url: string; databaseUrl: string }[]): Client[] =>
  servers.map(server => new Client(server))

const get = async (client: Client, where: string): Promise<Record<string, unknown>> =>
  (await client.get(where)).json as Record<string, unknown>

async function fileWith(t: Test, name: string, bytes: Uint8Array | string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-instance-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, name), bytes)
  return path.join(folder, name)
}

test('rules are shown in their order with translations, and deleted rules are not shown', async t => {
  const { servers, ctl } = await openPair(t)
  const add = async (text: string, ...more: string[]): Promise<string> =>
    /\d+/.exec(await ctl('rules', 'add', text, ...more))?.[0] ?? ''
  const [kind, spam] = [await add('Be kind', '--hint', 'Really'), await add('No spam')]
  await ctl('rules', 'change', kind, '--language', 'de', '--text', 'Sei nett', '--hint', 'Wirklich')
  await ctl('rules', 'change', spam, '--position', '0')
  const translations = { de: { text: 'Sei nett', hint: 'Wirklich' } }
  const first = { id: spam, text: 'No spam', hint: '', translations: {} }
  const second = { id: kind, text: 'Be kind', hint: 'Really', translations }
  for (const client of clientsOf(servers)) {
    await becomes(async () => (await client.get('/api/v1/instance/rules')).json, [first, second], 'rules')
    for (const version of ['v1', 'v2'])
      assert.deepEqual((await get(client, `/api/${version}/instance`))['rules'], [first, second])
  }
  await ctl('rules', 'delete', spam)
  for (const client of clientsOf(servers))
    await becomes(async () => (await client.get('/api/v1/instance/rules')).json, [second], 'rules')
})

test('a banner and icons are shown in all versions, and a reset restores the built-in ones', async t => {
  const { servers, ctl } = await openPair(t)
  const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const file = await fileWith(t, 'banner.jpg', picture)
  await ctl('pictures', 'set', 'thumbnail', file)
  await ctl('pictures', 'set', 'app_icon', file)
  await ctl('settings', 'set', 'thumbnail_description', 'A pond')
  for (const client of clientsOf(servers)) {
    const described = async (): Promise<unknown> => {
      const { thumbnail, icon } = await get(client, '/api/v2/instance')
      const { url, blurhash, versions, description } = thumbnail as Record<string, unknown>
      const v1 = (await get(client, '/api/v1/instance'))['thumbnail']
      return [
        typeof blurhash === 'string' && blurhash.length,
        versions !== undefined && url === (versions as Record<string, unknown>)['@1x'] && url === v1,
        versions !== undefined && Object.keys(versions as object),
        description,
        (icon as { src: string }[]).every(({ src }) => src.includes('/site/')),
      ]
    }
    // A blurhash of 4 × 4 components has 36 characters.
    await becomes(described, [36, true, ['@1x', '@2x'], 'A pond', true], 'own pictures')
  }
  await ctl('pictures', 'reset', 'thumbnail')
  for (const client of clientsOf(servers)) {
    const members = async (): Promise<string[]> =>
      Object.keys((await get(client, '/api/v2/instance'))['thumbnail'] as object)
    await becomes(members, ['url', 'description'], 'the built-in banner')
  }
})

test('long texts are sanitized Markdown, dated by their last change', async t => {
  const { servers, ctl } = await openPair(t)
  const [client] = clientsOf(servers)
  assert.ok(client)
  const [about, policy] = ['/api/v1/instance/extended_description', '/api/v1/instance/privacy_policy']
  assert.deepEqual(await get(client, about), { updated_at: null, content: '' })
  const builtIn = await get(client, policy)
  assert.equal(builtIn['updated_at'], '2022-10-07T00:00:00+00:00')
  assert.match(String(builtIn['content']), /mill\.example/)
  const text =
    '# About %{domain}\n\n<script>alert(1)</script>\n\n![x](https://a.example/x.png) [no](javascript:alert(1)) *yes*'
  for (const [key, where] of [
    ['site_extended_description', about],
    ['site_terms', policy],
  ] as const) {
    const before = Math.floor(Date.now() / 1000)
    await ctl('settings', 'set', key, text)
    for (const one of clientsOf(servers)) {
      const seen = async (): Promise<unknown> => /<em>yes<\/em>/.test(String((await get(one, where))['content']))
      await becomes(seen, true, key)
      const { content, updated_at: at } = await get(one, where)
      assert.match(String(content), /&lt;script&gt;/)
      assert.doesNotMatch(String(content), /<script|<img|javascript:/)
      assert.match(String(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
      assert.ok(Date.parse(String(at)) / 1000 >= before)
    }
  }
})

test('the contact is a local or remote account that is public', async t => {
  const { servers, ctl, person } = await openPair(t)
  await person('guide', { account: { username: 'guide' } })
  await person('gone', { account: { username: 'gone', suspended_at: new Date() } })
  await person('newcomer', { account: { username: 'newcomer' }, user: { approved: false } })
  await sql(
    servers[0],
    `insert into accounts (username, domain, uri) values ('far', 'far.example', 'https://far.example/u')`,
  )
  for (const [name, acct] of [
    ['@guide', 'guide'],
    ['guide@mill.example', 'guide'],
    ['gone', undefined],
    ['far@far.example', 'far@far.example'],
    ['newcomer', undefined],
    ['guide', 'guide'],
    ['nobody', undefined],
  ] as const) {
    await ctl('settings', 'set', 'site_contact_username', name)
    for (const client of clientsOf(servers)) {
      const shown = async (): Promise<unknown> => {
        const { contact } = (await get(client, '/api/v2/instance')) as { contact: { account: { acct: string } | null } }
        const { contact_account: old } = (await get(client, '/api/v1/instance')) as {
          contact_account: { acct: string } | null
        }
        return [contact.account?.acct, old?.acct]
      }
      await becomes(shown, [acct, acct], name)
    }
  }
})

test('the statistics of the instance match its data', async t => {
  const { servers, person } = await openPair(t, { DEFAULT_LOCALE: 'de' })
  const [server] = servers
  const alice = await person('alice', { user: { last_active_at: new Date() } })
  await person('sleeper', { user: { last_active_at: '2020-01-01' } })
  await person('unconfirmed', { user: { confirmed_at: null } })
  await person('suspended', { account: { suspended_at: new Date() } })
  for (const text of ['one', 'two']) await alice.postStatus(text)
  await sql(
    server,
    `insert into accounts (username, domain, uri) values ('a', 'far.example', 'x'), ('b', 'far.example', 'y')`,
  )
  await sql(server, `insert into domain_blocks (domain) values ('bad.example')`)
  await sql(server, `insert into domain_allows (domain) values ('friend.example')`)
  for (const client of clientsOf(servers)) {
    const v1 = await get(client, '/api/v1/instance')
    assert.deepEqual(v1['stats'], { user_count: 2, status_count: 2, domain_count: 3 })
    assert.deepEqual([v1['uri'], v1['languages']], ['mill.example', ['de']])
    const v2 = await get(client, '/api/v2/instance')
    assert.deepEqual(v2['usage'], { users: { active_month: 1 } })
    assert.deepEqual([v2['domain'], v2['languages'], v2['api_versions']], ['mill.example', ['de'], { mastodon: 11 }])
    assert.match(String(v2['version']), SEMANTIC_VERSION)
    assert.match(String(v2['version']), /^4\.7\.0\+/)
    assert.equal(v1['version'], v2['version'])
    const { software } = (await get(client, '/nodeinfo/2.0')) as { software: unknown }
    assert.deepEqual(software, { name: 'millrace', version: manifest.version })
  }
  const status = await alice.postStatus('in which language?')
  assert.equal(status['language'], 'de')
  assert.equal((await get(alice, '/api/v1/preferences'))['posting:default:language'], 'de')
})
