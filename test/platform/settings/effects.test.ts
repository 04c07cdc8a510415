import assert from 'node:assert/strict'
import { test } from 'tap'
import { SETTINGS, type SettingKey, type SettingValue } from '../../../src/platform/settings/index.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, sql } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { becomes, openPair } from './pair.ts'
import { fakeTimers } from '../../support/fake_timers.ts'

/*
 * The effect of each setting through HTTP at two processes: before a change on the command line,
 * after it, and after the default is restored. Nothing is restarted.
 */

/** The clients of one of the two processes. */
interface Clients {
  readonly anonymous: Client
  readonly alice: Client
  /** An application without a user. */
  readonly app: Client
  readonly status: string
}

type See = (clients: Clients) => Promise<unknown>

interface Effect {
  /** The argument of `ctl settings set`. */
  readonly to: string
  readonly see: See
  readonly before: unknown
  readonly after: unknown
  /** Other settings that are needed before and after. */
  readonly while?: Partial<Record<SettingKey, string>>
  /** The month of the clock, which the servers share with this process. */
  readonly inMonth?: number
}

/** The member of an entity at a path of names. */
const part = (json: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      json,
    )

const statusOf =
  (path: string): See =>
  async ({ anonymous }) =>
    (await anonymous.get(path)).status
const read =
  (path: string, member: string): See =>
  async ({ anonymous }) =>
    part((await anonymous.get(path)).json, member)
const instance = (member: string): See => read('/api/v2/instance', member)

const signUp = ({ app }: Clients): Promise<ClientResponse> => app.post('/api/v1/accounts', {})
/** Whether sign-up reports a missing field. */
const asksFor =
  (field: string): See =>
  async clients =>
    part((await signUp(clients)).json, `details.${field}`) !== undefined

const suggested: See = async ({ alice }) =>
  ((await alice.get('/api/v2/suggestions')).json as { account: { acct: string }; source: string }[]).map(
    ({ account, source }) => `${account.acct} ${source}`,
  )
const domainBlocks: See = async ({ anonymous }) => {
  const { status, json } = await anonymous.get('/api/v1/instance/domain_blocks')
  return status === 200 ? (json as { comment: string | null }[]).map(({ comment }) => comment) : status
}
const trending: See = async ({ anonymous }) =>
  ((await anonymous.get('/api/v1/trends/tags')).json as { name: string }[]).map(({ name }) => name)

/** The match of a pattern in the sign-in page. */
const onPage =
  (pattern: RegExp): See =>
  async ({ anonymous }) =>
    pattern.exec((await anonymous.get('/auth/sign_in')).text)?.[1]

const YEAR = new Date().getUTCFullYear()
const LIVE = '/api/v1/timelines/public'
const TOPIC = '/api/v1/timelines/tag/mills'

/**
 * The captcha is tested in test/auth/sign_up/captcha.test.ts, retention in retention.test.ts, spam
 * in test/statuses/spam.test.ts; the rest belongs to pages and their tests.
 */
const ELSEWHERE = [
  'captcha_enabled',
  'media_cache_retention_period',
  'content_cache_retention_period',
  'backups_retention_period',
  'spam_phrases',
  'preview_sensitive_media',
  'allow_referrer_origin',
  'landing_page',
  'email_subscriptions',
] as const

type Seen = Exclude<SettingKey, (typeof ELSEWHERE)[number]>

const EFFECTS: Record<Seen, Effect> = {
  registrations_mode: { to: 'open', see: async clients => (await signUp(clients)).status, before: 403, after: 422 },
  require_invite_text: {
    to: 'on',
    see: asksFor('reason'),
    before: false,
    after: true,
    while: { registrations_mode: 'approved' },
  },
  closed_registrations_message: {
    to: 'Come *back*',
    see: instance('registrations.message'),
    before: null,
    after: '<p>Come <em>back</em></p>',
    while: { registrations_mode: 'none' },
  },
  min_age: {
    to: '16',
    see: asksFor('date_of_birth'),
    before: false,
    after: true,
    while: { registrations_mode: 'open' },
  },
  local_live_feed_access: { to: 'authenticated', see: statusOf(`${LIVE}?local=true`), before: 200, after: 422 },
  remote_live_feed_access: { to: 'disabled', see: statusOf(`${LIVE}?remote=true`), before: 200, after: 422 },
  local_topic_feed_access: { to: 'authenticated', see: statusOf(`${TOPIC}?local=true`), before: 200, after: 422 },
  remote_topic_feed_access: { to: 'disabled', see: statusOf(`${TOPIC}?remote=true`), before: 200, after: 422 },
  disallow_unauthenticated_api_access: {
    to: 'on',
    see: clients => statusOf(`/api/v1/statuses/${clients.status}`)(clients),
    before: 200,
    after: 401,
  },
  limited_federation_mode: { to: 'on', see: statusOf('/api/v1/instance/rules'), before: 200, after: 401 },
  authorized_fetch: {
    to: 'on',
    see: async ({ anonymous }) => {
      const accept = { accept: 'application/activity+json' }
      return part((await anonymous.get('/users/alice', {}, accept)).json, 'error') === 'Request not signed'
    },
    before: false,
    after: true,
  },
  site_title: { to: 'The mill', see: instance('title'), before: 'Millrace', after: 'The mill' },
  site_short_description: { to: 'Water', see: instance('description'), before: '', after: 'Water' },
  site_description: { to: 'Old', see: read('/api/v1/instance', 'description'), before: '', after: 'Old' },
  site_extended_description: {
    to: '*Long*',
    see: read('/api/v1/instance/extended_description', 'content'),
    before: '',
    after: '<p><em>Long</em></p>',
  },
  site_terms: {
    to: 'Ours at %{domain}',
    see: async clients => {
      const content = await read('/api/v1/instance/privacy_policy', 'content')(clients)
      return content === '<p>Ours at mill.example</p>'
    },
    before: false,
    after: true,
  },
  site_contact_username: {
    to: '@guide@mill.example',
    see: instance('contact.account.username'),
    before: undefined,
    after: 'guide',
  },
  site_contact_email: { to: 'hi@mill.example', see: instance('contact.email'), before: '', after: 'hi@mill.example' },
  status_page_url: {
    to: 'https://up.example/',
    see: instance('configuration.urls.status'),
    before: null,
    after: 'https://up.example/',
  },
  thumbnail_description: {
    to: 'A pond',
    see: instance('thumbnail.description'),
    before: 'A mill wheel over water',
    after: 'A pond',
  },
  theme: { to: 'dark', see: onPage(/data-theme="(\w+)"/), before: 'system', after: 'dark' },
  custom_css: {
    to: 'main { color: teal }',
    see: async clients => {
      const path = await onPage(/href="(\/css\/custom-\w+\.css)"/)(clients)
      return typeof path === 'string' ? (await clients.anonymous.get(path)).text : undefined
    },
    before: undefined,
    after: 'main { color: teal }',
  },
  trends: {
    to: 'off',
    see: trending,
    before: ['mills'],
    after: [],
    while: { trendable_by_default: 'on' },
  },
  trendable_by_default: { to: 'on', see: trending, before: [], after: ['mills'] },
  bootstrap_timeline_accounts: { to: 'guide', see: suggested, before: [], after: ['guide staff'] },
  auto_follow_accounts: { to: 'guide@mill.example', see: suggested, before: [], after: ['guide staff'] },
  profile_directory: { to: 'off', see: statusOf('/api/v1/directory'), before: 200, after: 404 },
  activity_api_enabled: { to: 'off', see: statusOf('/api/v1/instance/activity'), before: 200, after: 404 },
  peers_api_enabled: {
    to: 'off',
    see: clients =>
      Promise.all(['/api/v1/instance/peers', '/api/v1/peers/search?q=far'].map(path => statusOf(path)(clients))),
    before: [200, 200],
    after: [404, 404],
  },
  show_domain_blocks: { to: 'all', see: domainBlocks, before: 404, after: [null] },
  show_domain_blocks_rationale: {
    to: 'all',
    see: domainBlocks,
    before: [null],
    after: ['spam'],
    while: { show_domain_blocks: 'all' },
  },
  noindex: {
    to: 'on',
    see: async ({ alice }) => part((await alice.get('/api/v1/accounts/verify_credentials')).json, 'noindex'),
    before: false,
    after: true,
  },
  wrapstodon: { to: 'off', see: instance('wrapstodon'), before: YEAR, after: null, inMonth: 12 },
}

/** The argument of the command line for a value. */
const textOf = (value: SettingValue): string =>
  value === null ? '' : typeof value === 'object' ? value.join(',') : String(value)

/** Creates a trending hashtag and a moderated domain. */
async function furnish(server: TestServer): Promise<void> {
  await sql(
    server,
    `insert into tag_trends (tag_id, peak, peaked_at, score) select t.id, 10, now(), 10 from tags t where t.name = 'mills'`,
  )
  await sql(
    server,
    `insert into domain_blocks (domain, severity, public_comment) values ('bad.example', 'suspend', 'spam')`,
  )
}

test('every setting is in the table or tested elsewhere', async () => {
  assert.deepEqual([...Object.keys(EFFECTS), ...ELSEWHERE].toSorted(), Object.keys(SETTINGS).toSorted())
})

test('each setting takes effect in every process, and its default restores the behaviour', async t => {
  const { servers, ctl, person } = await openPair(t)
  const alice = await person('alice')
  await person('guide', { account: { username: 'guide', discoverable: true } })
  const app = await makeToken(servers[0], null)
  const { id } = await alice.postStatus('about #mills')
  await furnish(servers[0])
  const processes = servers.map(server => ({
    anonymous: new Client(server),
    alice: new Client(server, alice.token),
    app: new Client(server, app),
    status: id,
  }))
  const change = (key: string, value: string): Promise<string> => ctl('settings', 'set', key, value)
  const everywhere = async (see: See, wanted: unknown, what: string): Promise<void> => {
    await Promise.all(processes.map(clients => becomes(() => see(clients), wanted, what)))
  }
  for (const [key, effect] of Object.entries(EFFECTS)) {
    const conditions = Object.entries(effect.while ?? {})
    const { inMonth } = effect
    if (inMonth !== undefined) fakeTimers(t).enable({ apis: ['Date'], now: Date.UTC(YEAR, inMonth - 1, 15) })
    for (const [other, value] of conditions) await change(other, value)
    await everywhere(effect.see, effect.before, `${key} before`)
    await change(key, effect.to)
    await everywhere(effect.see, effect.after, `${key} after`)
    await change(key, textOf(SETTINGS[key as SettingKey].default))
    await everywhere(effect.see, effect.before, `${key} again`)
    for (const [other] of conditions) await change(other, textOf(SETTINGS[other as SettingKey].default))
    if (inMonth !== undefined) fakeTimers(t).reset()
  }
})
