import type { Caller } from './requests.ts'
import type { NamedPool } from './named_pools.ts'
import type { FuzzValue, Reference } from './values.ts'

type Values = Readonly<Record<string, FuzzValue>>

/** What makes a request succeed. */
export interface Typical {
  readonly values?: Values
  readonly inPath?: Values
  /** Who may do it. */
  readonly caller?: Caller
}

const the = (of: NamedPool): Reference => ({ ref: 0, of })
const at = (of: NamedPool): Typical => ({ inPath: { id: the(of) } })
const byOwner = (of: NamedPool, values: Values = {}): Typical => ({ ...at(of), caller: 'owner', values })
const byAlice = (of: NamedPool, values: Values = {}): Typical => ({ ...at(of), caller: 'alice', values })
const whole = (values: Values): Typical => ({ values })

const status: Values = { status: 'a quiet morning' }
const filter: Values = { title: 'x', context: ['home'] }
const oldFilter: Values = { phrase: 'x', context: ['home'] }
const collection: Values = { name: 'choir', description: 'those who sing', sensitive: false, discoverable: true }
const domain: Values = { domain: 'blocked.example' }
/** Of the length that stands for a picture (outgoing.ts). */
const file: Values = { file: 'abc' }
/** The keys are the generator of P-256 and 16 zeros. */
const subscription: Values = {
  subscription: {
    endpoint: the('push_endpoint'),
    keys: {
      p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
      auth: 'AAAAAAAAAAAAAAAAAAAAAA',
    },
  },
  data: { alerts: { mention: true } },
}
const application: Values = { client_id: the('client_id'), client_secret: the('client_secret') }
const authorization: Values = {
  client_id: the('client_id'),
  redirect_uri: the('redirect_uri'),
  response_type: 'code',
  scope: 'read',
}
const signUp: Values = {
  username: the('free_username'),
  email: the('free_email'),
  password: 'correct horse battery',
  agreement: true,
  locale: 'en',
}
const reaction: Typical = { inPath: { id: the('announcement'), name: '🫖' }, caller: 'bob' }
const item = (id: NamedPool): Typical => ({ inPath: { collection_id: the('collection'), id: the(id) } })

/** People, and what staff decide. */
const PEOPLE: Readonly<Record<string, Typical>> = {
  'POST /api/v1/accounts': { values: signUp, caller: 'application' },
  'GET /api/v1/accounts/lookup': whole({ acct: the('acct') }),
  'POST /api/v1/accounts/:id/email_subscriptions': { ...at('newsletter'), values: { email: the('free_email') } },
  'POST /email_subscriptions': whole({ account_id: the('newsletter'), email: the('free_email'), website: '' }),
  'GET /email_subscriptions/confirmation': whole({ confirmation_token: the('confirmation') }),
  'POST /email_subscriptions/confirmation': { values: { confirmation_token: the('confirmation') }, caller: 'bob' },
  'GET /unsubscribe': whole({ token: the('unsubscribe'), type: 'follow' }),
  'POST /unsubscribe': whole({ token: the('unsubscribe'), type: 'follow' }),
  'POST /api/v1/emails/confirmations': { values: { email: the('unconfirmed_email') }, caller: 'unconfirmed' },
  'GET /auth/sessions/security_key_options': { caller: 'pending' },
  'POST /api/v1/follow_requests/:account_id/authorize': {
    inPath: { account_id: the('follower') },
    caller: 'alice',
  },
  'POST /api/v1/follow_requests/:account_id/reject': { inPath: { account_id: the('follower') }, caller: 'alice' },
  'DELETE /api/v1/admin/accounts/:id': byOwner('suspended'),
  'POST /api/v1/admin/accounts/:id/unsuspend': byOwner('suspended'),
  'POST /api/v1/admin/accounts/:id/approve': byOwner('pending'),
  'POST /api/v1/admin/accounts/:id/reject': byOwner('pending'),
  'POST /api/v1/admin/accounts/:id/action': byOwner('bystander', { type: 'none' }),
  'POST /admin/custom_emojis': { values: { emoji: { shortcode: 'tapir', image: 'abc' } }, caller: 'owner' },
  'POST /api/v1/admin/domain_blocks': whole(domain),
  'POST /api/v1/admin/domain_allows': whole(domain),
  'POST /api/v1/admin/email_domain_blocks': whole(domain),
  'POST /api/v1/admin/canonical_email_blocks': whole({ email: 'a@blocked.example' }),
  'POST /api/v1/admin/ip_blocks': whole({ ip: '192.0.2.1', severity: 'no_access', expires_in: 3600 }),
  'POST /api/v1/admin/trends/links/:id/approve': byOwner('link'),
  'POST /api/v1/admin/trends/links/:id/reject': byOwner('link'),
  'POST /api/v1/admin/trends/links/publishers/:id/approve': byOwner('link_publisher'),
  'POST /api/v1/admin/trends/links/publishers/:id/reject': byOwner('link_publisher'),
}

/** Posts, and what hangs on them. */
const POSTS: Readonly<Record<string, Typical>> = {
  'POST /api/v1/statuses': whole(status),
  'PUT /api/v1/statuses/:id': byAlice('status', status),
  'POST /api/v1/polls/:id/votes': whole({ choices: [0] }),
  'POST /api/v1/statuses/:id/translate': { ...at('foreign_status'), caller: 'alice', values: { lang: 'de' } },
  'POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke': {
    inPath: { id: the('quoted'), quoting_status_id: the('quoting') },
    caller: 'alice',
  },
  'GET /api/v1/statuses/:id/card': at('card_status'),
  'GET /api/v1/timelines/link': whole({ url: the('link_url') }),
  'GET /api/oembed': whole({ url: the('status_url') }),
  'POST /api/v1/media': whole(file),
  'POST /api/v2/media': whole(file),
  'GET /media/:id': at('media'),
  'GET /media/:id/player': at('player'),
  'GET /media/:kind/:first/:second/:name': {
    inPath: {
      kind: the('media_kind'),
      first: the('media_first'),
      second: the('media_second'),
      name: the('media_name'),
    },
  },
  'GET /media_proxy/:id': at('remote_media'),
  'GET /media_proxy/:id/original': at('remote_media'),
  'GET /media_proxy/:id/small': at('remote_media'),
  'GET /pictures/:name': { inPath: { name: 'preview.png' } },
  'POST /api/v1/collections': whole(collection),
  'POST /api/v1_alpha/collections': whole(collection),
  'PATCH /api/v1/collections/:id': byAlice('collection', { name: 'quartet' }),
  'PATCH /api/v1_alpha/collections/:id': byAlice('collection', { name: 'quartet' }),
  ...Object.fromEntries(
    ['v1', 'v1_alpha'].flatMap((version): [string, Typical][] => {
      const path = `/api/${version}/collections/:collection_id/items`
      return [
        [
          `POST ${path}`,
          {
            inPath: { collection_id: the('collection') },
            caller: 'alice',
            values: { account_id: the('bystander') },
          },
        ],
        [`DELETE ${path}/:id`, { ...item('collection_item'), caller: 'alice' }],
        [`POST ${path}/:id/revoke`, { ...item('collection_item'), caller: 'bob' }],
      ]
    }),
  ),
  'GET /:account/:id': { inPath: { account: the('profile'), id: the('status') } },
  'GET /:account/wrapstodon/:year/:key': { inPath: { account: the('profile'), year: '2025', key: 'k3y' } },
  'GET /redirect/accounts/:id': at('remote_account'),
  'GET /redirect/statuses/:id': at('remote_status'),
  'GET /statuses/:id': at('status'),
  'GET /accounts/:id': at('account'),
  'GET /share': whole({ text: 'hello' }),
  'GET /intent': whole({ uri: 'web+mastodon://share?text=hello' }),
  'GET /.well-known/webfinger': whole({ resource: the('acct') }),
  'PUT /api/v1/scheduled_statuses/:id': byAlice('scheduled'),
  'PATCH /api/v1/scheduled_statuses/:id': byAlice('scheduled'),
  'GET /api/v1/scheduled_statuses/:id': byAlice('scheduled'),
  'DELETE /api/v1/scheduled_statuses/:id': byAlice('scheduled'),
}

/** What people have for themselves. */
const OWN: Readonly<Record<string, Typical>> = {
  'POST /api/v1/filters': whole(oldFilter),
  'PUT /api/v1/filters/:id': whole(oldFilter),
  'POST /api/v2/filters': whole(filter),
  'PUT /api/v2/filters/:id': byAlice('filter', filter),
  'PATCH /api/v2/filters/:id': byAlice('filter', filter),
  'POST /api/v2/filters/:filter_id/keywords': whole({ keyword: 'y' }),
  'POST /api/v2/filters/:filter_id/statuses': {
    inPath: { filter_id: the('filter') },
    caller: 'alice',
    values: { status_id: the('status') },
  },
  'GET /api/v2/filters/statuses/:id': byAlice('filter_status'),
  'DELETE /api/v2/filters/statuses/:id': byAlice('filter_status'),
  'PUT /api/v2/notifications/policy': whole({ for_not_following: 'accept' }),
  'GET /api/v1/notifications/requests/:id': byAlice('request'),
  'POST /api/v1/notifications/requests/:id/accept': byAlice('request'),
  'POST /api/v1/notifications/requests/:id/dismiss': byAlice('request'),
  'GET /api/v1/annual_reports/:year': { inPath: { year: '2025' }, caller: 'alice' },
  'POST /api/v1/annual_reports/:year/read': { inPath: { year: '2025' }, caller: 'alice' },
  'GET /api/v1_alpha/async_refreshes/:id': { ...at('refresh'), caller: 'alice' },
  'POST /api/v1/announcements/:id/dismiss': byAlice('announcement'),
  'PUT /api/v1/announcements/:id/reactions/:name': reaction,
  'PATCH /api/v1/announcements/:id/reactions/:name': reaction,
  'DELETE /api/v1/announcements/:id/reactions/:name': reaction,
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'PATCH'].flatMap(method =>
      ['subscription', 'subscriptions'].map((name): [string, Typical] => [
        `${method} /api/v1/push/${name}`,
        { caller: 'alice', values: method === 'GET' ? {} : subscription },
      ]),
    ),
  ),
  'POST /api/v1/apps': whole({ client_name: 'Tapir', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }),
  'GET /oauth/authorize': { values: authorization, caller: 'alice' },
  'POST /oauth/authorize': { values: authorization, caller: 'alice' },
  'DELETE /oauth/authorize': { values: authorization, caller: 'alice' },
  'POST /oauth/token': whole({ ...application, grant_type: 'client_credentials', scope: 'read' }),
  'POST /oauth/revoke': whole({ ...application, token: the('revocable') }),
  'GET /terms-of-service/:date': { inPath: { date: the('terms_date') } },
  'GET /api/v1/instance/terms_of_service/:date': { inPath: { date: the('terms_date') } },
}

/** What other servers ask for. */
const SERVERS: Readonly<Record<string, Typical>> = {
  'GET /contexts/:name': { inPath: { name: the('context') } },
  'GET /contexts/:name/items': { inPath: { name: the('context') } },
  'GET /ap/users/:id/collections/:name': { inPath: { id: the('account'), name: 'featured' } },
  'GET /ap/users/:id/collection_items/:item_id': {
    inPath: { id: the('account'), item_id: the('collection_item') },
  },
  'GET /ap/users/:id/feature_authorizations/:item_id': {
    inPath: { id: the('curated'), item_id: the('collection_item') },
  },
  'GET /ap/users/:id/quote_authorizations/:quote_id': { inPath: { id: the('account'), quote_id: the('quote') } },
  'GET /ap/users/:id/followers_synchronization': { inPath: { id: the('account') }, caller: 'peer' },
}

/**
 * With which a request succeeds, where the declaration does not say so: what it refers to must be
 * in a certain state, or it creates nothing without certain values. Others are added to them.
 */
export const TYPICAL: ReadonlyMap<string, Typical> = new Map(
  Object.entries({ ...PEOPLE, ...POSTS, ...OWN, ...SERVERS }),
)
