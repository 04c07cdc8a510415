import { randomBytes } from 'node:crypto'
import { collect } from '../accounts/collections/collection_fixtures.ts'
import { entity, picture, upload } from '../media/attachments/media_fixtures.ts'
import { personWithPassword, registerApplication } from '../support/oauth.ts'
import { person, sql, type Person } from '../support/people.ts'
import type { ServerAddress, TestServerOptions } from '../support/server.ts'

/** Names and texts that are hard to fit: long, without spaces, from right to left. */
const LONG_NAME = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const HEBREW = 'שלום לכולם, אני אוהבת תה ירוק'

/** The settings with which there are all pages. */
export const ALL_PAGES: TestServerOptions = { settings: { registrations_mode: 'open', email_subscriptions: true } }

/** A server with some of everything that pages show. */
export interface Furnished {
  readonly owner: Person & { email: string }
  /** A path for each declared path that has parameters, and some more by other names. */
  readonly paths: Readonly<Record<string, string>>
}

type Row = Readonly<Record<string, unknown>>

/** Inserts a row and returns its id. */
async function insert(server: ServerAddress, table: string, row: Row): Promise<string> {
  const marks = Object.keys(row).map((_, index) => `$${index + 1}`)
  const text = `insert into ${table} (${Object.keys(row).join(', ')}) values (${marks.join(', ')}) returning id::text as id`
  const [made] = await sql(server, text, Object.values(row))
  return String(made?.['id'])
}

const DAY_MS = 86_400_000
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS)
const date = (days: number): string => inDays(days).toISOString().slice(0, 'YYYY-MM-DD'.length)
const random = (): string => randomBytes(4).toString('hex')

/** Rules and texts that administrators manage. */
async function furnishSite(server: ServerAddress, owner: Person): Promise<Record<string, string>> {
  const make = (table: string, row: Row): Promise<string> => insert(server, table, row)
  const text = `A rule about ${LONG_NAME}`
  const rule = await make('rules', { text, hint: 'Always', translations: { de: { text: 'Sei nett', hint: '' } } })
  await make('rules', { text: HEBREW, hint: '' })
  const announcement = await make('announcements', {
    text: 'We move **tomorrow**',
    content: '<p>We move <strong>tomorrow</strong></p>',
    published: true,
    published_at: new Date(),
    starts_at: new Date(),
    ends_at: inDays(2),
  })
  await make('announcements', { text: 'Later', content: `<p>${LONG_NAME}</p>`, scheduled_at: inDays(1) })
  const published = date(-30)
  const inForce = await make('terms_of_service', {
    text: '# Terms\n\n- be kind',
    effective_date: published,
    published_at: inDays(-40),
  })
  const draft = await make('terms_of_service', { text: '# New terms', changelog: 'Shorter' })
  const preset = await make('warning_presets', { title: LONG_NAME, text: 'Please stop' })
  const webhook = await make('webhooks', {
    url: `https://hooks.example/${LONG_NAME.toLowerCase()}/${random()}`,
    events: ['account.created', 'status.created', 'report.created'],
    secret: random(),
    failures: 3,
    last_error: 'The server responded with 500',
    last_failed_at: new Date(),
  })
  await make('invites', { user_id: owner.userId, code: random(), max_uses: 5, expires_at: inDays(7) })
  const [role] = await sql(server, 'select id::text as id from roles where name = $1', ['Moderator'])
  return {
    '/admin/rules/:id': `/admin/rules/${rule}`,
    '/admin/announcements/:id': `/admin/announcements/${announcement}`,
    '/admin/announcements/:id/preview': `/admin/announcements/${announcement}/preview`,
    '/admin/terms_of_service/:id': `/admin/terms_of_service/${draft}`,
    '/admin/terms_of_service/:id/preview': `/admin/terms_of_service/${inForce}/preview`,
    '/terms-of-service/:date': `/terms-of-service/${published}`,
    '/admin/warning_presets/:id/edit': `/admin/warning_presets/${preset}/edit`,
    '/admin/webhooks/:id': `/admin/webhooks/${webhook}`,
    '/admin/roles/:id': `/admin/roles/${String(role?.['id'])}`,
  }
}

/** Rules about domains, addresses, networks and names. */
async function furnishBlocks(server: ServerAddress): Promise<Record<string, string>> {
  const make = (table: string, row: Row): Promise<string> => insert(server, table, row)
  const domain = await make('domain_blocks', {
    domain: `${random()}.${LONG_NAME.toLowerCase().slice(0, 60)}.example`,
    severity: 'suspend',
    reject_media: true,
    reject_reports: true,
    public_comment: 'Spam and worse',
    private_comment: HEBREW,
  })
  await make('domain_blocks', { domain: `quiet-${random()}.example`, severity: 'silence' })
  await make('domain_allows', { domain: `friends-${random()}.example` })
  const network = Number.parseInt(random(), 16) % 60_000
  const ip = await make('ip_blocks', {
    ip: `2001:db8:${network.toString(16)}::/48`,
    severity: 'no_access',
    comment: 'Attacks',
    expires_at: inDays(30),
  })
  const name = await make('username_blocks', { username: `admin${random()}`, exact: false })
  await make('email_domain_blocks', { domain: `throwaway-${random()}.example` })
  await make('canonical_email_blocks', { canonical_email_hash: randomBytes(32).toString('hex') })
  return {
    '/admin/domain_blocks/:id/edit': `/admin/domain_blocks/${domain}/edit`,
    '/admin/ip_blocks/:id/edit': `/admin/ip_blocks/${ip}/edit`,
    '/admin/username_blocks/:id/edit': `/admin/username_blocks/${name}/edit`,
  }
}

/** What the signed-in person has: filters, applications, strikes and a yearly report. */
async function furnishOwner(server: ServerAddress, owner: Person, best: string): Promise<Record<string, string>> {
  const make = (table: string, row: Row): Promise<string> => insert(server, table, row)
  const filter = await make('filters', { account_id: owner.id, title: LONG_NAME, contexts: ['home', 'public'] })
  await make('filter_keywords', { filter_id: filter, keyword: HEBREW })
  const application = await make('applications', {
    name: LONG_NAME,
    redirect_uris: ['urn:ietf:wg:oauth:2.0:oob'],
    scopes: ['read', 'write'],
    client_id: random(),
    client_secret_hash: Buffer.alloc(1),
    owner_id: owner.userId,
  })
  const strike = await make('account_warnings', {
    target_account_id: owner.id,
    action: 'sensitive',
    text: `Please mark ${LONG_NAME}`,
    status_ids: [best],
  })
  const data = {
    archetype: 'oracle',
    top_statuses: { by_reblogs: best, by_favourites: null, by_replies: null },
    time_series: [{ month: 12, statuses: 1234, followers: 5 }],
    top_hashtags: [{ name: 'tea', count: 2 }],
  }
  await sql(server, 'update users set email_subscriptions = true where id = $1', [owner.userId])
  await make('email_subscriptions', { account_id: owner.id, email: 'reader@example.com', confirmed_at: new Date() })
  await make('annual_reports', { account_id: owner.id, year: 2025, data, schema_version: 2, share_key: 'k3y' })
  await make('imports', { account_id: owner.id, kind: 'follows', overwrite: false, file_name: 'a.csv', rows_count: 3 })
  const token = { account_id: owner.id, file_name: `${LONG_NAME}.csv`, rows_count: 9, done_count: 8, failed_count: 1 }
  await make('imports', { ...token, kind: 'blocks', overwrite: true, finished_at: new Date() })
  const reset = random()
  await sql(
    server,
    `update users set reset_password_token_hash = sha256($2), reset_password_sent_at = now() where id = $1`,
    [owner.userId, reset],
  )
  const { client_id: client, redirect_uri: redirect } = await registerApplication(server, {
    client_name: LONG_NAME.slice(0, 60),
  })
  const asked = new URLSearchParams({ client_id: client, redirect_uri: redirect, response_type: 'code', scope: 'read' })
  return {
    '/settings/filters/:id/edit': `/settings/filters/${filter}/edit`,
    '/settings/applications/:id': `/settings/applications/${application}`,
    '/disputes/strikes/:id': `/disputes/strikes/${strike}`,
    '/:account/wrapstodon/:year/:key': `/@${owner.username}/wrapstodon/2025/k3y`,
    '/oauth/authorize': `/oauth/authorize?${asked.toString()}`,
    '/oauth/authorize/native': '/oauth/authorize/native?code=abc',
    '/auth/password/edit': `/auth/password/edit?reset_password_token=${reset}`,
  }
}

/** An account of another server, with a post and a collection. */
async function furnishRemote(server: ServerAddress) {
  const remote = {
    username: `dora_${random()}`,
    domain: 'far.example',
    display_name: LONG_NAME,
    url: 'https://far.example/@dora',
  }
  const dora = await insert(server, 'accounts', { ...remote, uri: `https://far.example/users/${random()}` })
  await sql(server, 'insert into account_stats (account_id) values ($1)', [dora])
  const far = `https://far.example/statuses/${random()}`
  const foreign = { account_id: dora, local: false, uri: far, url: far, content: '<p>Far</p>', visibility: 'public' }
  const distant = await insert(server, 'statuses', foreign)
  await sql(server, 'insert into status_stats (status_id) values ($1) on conflict do nothing', [distant])
  const shelf = {
    account_id: dora,
    name: 'Far',
    sensitive: false,
    discoverable: true,
    uri: `${far}/c`,
    url: `${far}/c`,
  }
  const farCollection = await insert(server, 'collections', shelf)
  return { dora, distant, farCollection }
}

/** An account with every kind of post, and with reports and a strike against it. */
async function furnishAlice(server: ServerAddress): Promise<{ alice: Person; paths: Record<string, string> }> {
  const note = `<p>${HEBREW}</p><p>${LONG_NAME}</p>`
  const value = `https://${LONG_NAME.toLowerCase()}.example`
  const fields = JSON.stringify([{ name: LONG_NAME, value, value_html: value, verified_at: new Date() }])
  const account = { discoverable: true, display_name: LONG_NAME, note, fields }
  const alice = await person(server, 'alice', { account })
  const bob = await person(server, 'bob', { account: { display_name: HEBREW, discoverable: true } })
  const waiting = { user: { approved: false, sign_up_reason: `I know ${LONG_NAME}` } }
  await person(server, 'carol', waiting)
  const root = await alice.postStatus('A post with #tea and a question')
  await alice.put(`/api/v1/statuses/${root.id}`, { status: 'A post with #tea, and an edit' })
  const reply = await bob.postStatus(`@${alice.username} ${HEBREW}`, { in_reply_to_id: root.id })
  await alice.postStatus('Which one?', { poll: { options: ['green', LONG_NAME.slice(0, 50)], expires_in: 86_400 } })
  await alice.postStatus(LONG_NAME, { spoiler_text: 'careful' })
  await alice.postStatus('for followers', { visibility: 'private' })
  const image = await picture(640, 480).png().toBuffer()
  const { id: media } = entity(await upload(alice, 'v2', image, { description: 'A red wall' }))
  await alice.postStatus('With a picture', { media_ids: [media], sensitive: true })
  await alice.follow(bob)
  await bob.follow(alice)
  await alice.post('/api/v1/featured_tags', { name: 'tea' })
  const collection = await collect(alice, [bob], { name: LONG_NAME.slice(0, 40), description: HEBREW })
  const comment = `Too much tea.\n\n${HEBREW}`
  const reported = { account_id: alice.id, status_ids: [root.id], comment, category: 'other' }
  const report = entity(await bob.post('/api/v1/reports', reported))
  const target = { target_account_id: alice.id, action: 'none', text: 'Calm down', status_ids: [root.id] }
  const strike = await insert(server, 'account_warnings', target)
  await insert(server, 'appeals', { account_id: alice.id, account_warning_id: strike, text: HEBREW })
  const [tag] = await sql(server, `select id::text as id from tags where name = 'tea'`)
  const { dora, distant, farCollection } = await furnishRemote(server)
  const name = `/@${alice.username}`
  const tabs = ['collections', 'featured', 'followers', 'following', 'media', 'with_replies']
  return {
    alice,
    paths: {
      '/:account': name,
      ...Object.fromEntries(tabs.map(tab => [`/:account/${tab}`, `${name}/${tab}`])),
      '/:account/tagged/:tag': `${name}/tagged/tea`,
      '/:account/:id': `${name}/${root.id}`,
      '/:account/:id/embed': `${name}/${root.id}/embed`,
      '/collections/:id': new URL(collection.url).pathname,
      '/tags/:tag': '/tags/tea',
      '/users/:username': `/users/${alice.username}`,
      '/users/:username/followers': `/users/${alice.username}/followers`,
      '/users/:username/following': `/users/${alice.username}/following`,
      '/users/:username/statuses/:id': `/users/${alice.username}/statuses/${root.id}`,
      '/ap/users/:id': `/ap/users/${alice.id}`,
      '/ap/users/:id/statuses/:status_id': `/ap/users/${alice.id}/statuses/${root.id}`,
      '/redirect/accounts/:id': `/redirect/accounts/${dora}`,
      '/redirect/statuses/:id': `/redirect/statuses/${distant}`,
      '/redirect/collections/:id': `/redirect/collections/${farCollection}`,
      '/admin/accounts/:id': `/admin/accounts/${alice.id}`,
      'an account of another server': `/admin/accounts/${dora}`,
      '/admin/accounts/:id/statuses': `/admin/accounts/${alice.id}/statuses`,
      '/admin/accounts/:id/statuses/:status_id': `/admin/accounts/${alice.id}/statuses/${root.id}`,
      '/admin/instances/:domain': '/admin/instances/far.example',
      '/admin/statuses/:id': `/admin/statuses/${root.id}`,
      '/admin/reports/:id': `/admin/reports/${report.id}`,
      '/admin/tags/:id': `/admin/tags/${String(tag?.['id'])}`,
      reply: `/@${bob.username}/${reply.id}`,
    },
  }
}

export async function furnish(server: ServerAddress): Promise<Furnished> {
  const owner = await personWithPassword(server, 'owner', { roleId: 3, account: { display_name: LONG_NAME } })
  const best = await owner.postStatus('Welcome')
  const { paths } = await furnishAlice(server)
  const code = random()
  await insert(server, 'invites', { user_id: owner.userId, code })
  return {
    owner,
    paths: {
      ...paths,
      ...(await furnishSite(server, owner)),
      ...(await furnishBlocks(server)),
      ...(await furnishOwner(server, owner, best.id)),
      '/invite/:invite_code': `/invite/${code}`,
      owner: `/@${owner.username}`,
      '/admin/instances/purge': '/admin/instances/purge?domain=far.example',
      operations: '/api?group=statuses',
      entities: '/api?entity=Status',
    },
  }
}
