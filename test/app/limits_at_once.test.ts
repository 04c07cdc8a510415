import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Authenticator } from '../auth/security_keys/authenticator.ts'
import { Browser, type Page } from '../support/browser.ts'
import { PASSWORD } from '../support/oauth.ts'
import { sendInTurn } from '../support/other_transaction.ts'
import { person, sql, type Person } from '../support/people.ts'
import { signedIn, type SignedIn } from '../support/signed_in.ts'

/* Of two simultaneous requests for the last place below a limit, one succeeds. */

type Send = () => Promise<boolean>

interface Limit {
  readonly table: string
  readonly max: number
  /** The condition of the rows that count; `$1` is the account, or the user for `owner: 'user'`. */
  readonly owned?: string
  readonly owner?: 'user'
  /** What both requests have to wait for; the row of the account by default. */
  readonly lock?: string
  /** Stores all but one. */
  readonly fill: string
  /** The two requests. */
  prepare(one: SignedIn, t: Test): Promise<readonly Send[]> | readonly Send[]
}

const ACCOUNT = 'select from accounts where id = $1 for update'
const USER = 'select from users where account_id = $1 for update'

const posts = (who: Person, path: string, bodies: readonly Record<string, unknown>[]): Send[] =>
  bodies.map(body => async () => (await who.post(path, body)).status === 200)

const submits = (
  browser: Browser,
  page: Page,
  path: string,
  fields: readonly Record<string, string | File>[],
): Send[] => fields.map(one => async () => (await browser.submit(page, path, one)).status === 302)

async function addKeys({ browser, person: alice, server }: SignedIn): Promise<Send[]> {
  const path = '/settings/security_keys'
  const other = new Browser(server)
  await other.signIn(alice.email, PASSWORD)
  await sql(server, 'update users set otp_enabled_at = now() where id = $1', [alice.userId])
  return Promise.all(
    [browser, other].map(async (one, index) => {
      const asked = await one.get(path)
      await one.submit(asked, '/auth/challenge', { 'form_challenge[current_password]': PASSWORD })
      const page = await one.get(path)
      const { challenge } = JSON.parse((await one.get(`${path}/options`)).text) as { challenge: string }
      const security_key = { nickname: `Key ${index}`, credential: new Authenticator(server.url).create(challenge) }
      return async () => (await one.sendJson(page, path, { security_key })).status === 200
    }),
  )
}

const LIMITS: Readonly<Record<string, Limit>> = {
  lists: {
    table: 'lists',
    max: 50,
    fill: "insert into lists (account_id, title) select $1, 'x' from generate_series(1, 49)",
    prepare: ({ person: alice }) => posts(alice, '/api/v1/lists', [{ title: 'one' }, { title: 'two' }]),
  },
  'unfinished imports': {
    table: 'imports',
    max: 5,
    fill: `insert into imports (account_id, kind, overwrite, file_name, rows_count)
      select $1, 'bookmarks', false, 'x.csv', 1 from generate_series(1, 4)`,
    async prepare({ browser }) {
      const path = '/settings/imports'
      const file = new File(['https://example.com/1\n'], 'x.csv', { type: 'text/csv' })
      const fields = { 'import[kind]': 'bookmarks', 'import[file]': file }
      return submits(browser, await browser.get(path), path, [fields, fields])
    },
  },
  aliases: {
    table: 'account_aliases',
    max: 100,
    fill: `with others as (
        insert into accounts (username, domain, uri)
        select 'other' || n, 'aliases.example', 'https://aliases.example/' || n from generate_series(1, 99) n
        returning id
      )
      insert into account_aliases (account_id, alias_account_id) select $1, others.id from others`,
    async prepare({ browser, server }, t) {
      const path = '/settings/aliases'
      const [bob, carol] = [await person(server, 'bob'), await person(server, 'carol')]
      t.after(() => Promise.all([bob.close(), carol.close()]))
      const fields = [bob, carol].map(({ username }) => ({ 'account_alias[acct]': username }))
      return submits(browser, await browser.get(path), path, fields)
    },
  },
  applications: {
    table: 'applications',
    owner: 'user',
    owned: 'owner_id = $1',
    max: 100,
    lock: USER,
    fill: `insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash, owner_id)
      select 'x', '{}', '{}', 'limit ' || u.id || ' ' || n, '', u.id
      from users u cross join generate_series(1, 99) n where u.account_id = $1`,
    async prepare({ browser }) {
      const path = '/settings/applications'
      const page = await browser.get(`${path}/new`)
      const fields = {
        'application[name]': 'Robot',
        'application[redirect_uris]': 'urn:ietf:wg:oauth:2.0:oob',
        'application[scopes]': 'read',
      }
      return [1, 2].map(() => async () => {
        const { text } = await browser.submit(page, path, fields)
        return text.includes('class="code whole"')
      })
    },
  },
  'security keys': {
    table: 'security_keys',
    owner: 'user',
    owned: 'user_id = $1',
    max: 20,
    lock: USER,
    fill: `insert into security_keys (user_id, external_id, public_key, sign_count, nickname, transports)
      select u.id, md5('key ' || u.id || ' ' || n), '', 0, 'x' || n, '{}'
      from users u cross join generate_series(1, 19) n where u.account_id = $1`,
    prepare: addKeys,
  },
  filters: {
    table: 'filters',
    max: 200,
    fill: "insert into filters (account_id, title, contexts) select $1, 'x', '{home}' from generate_series(1, 199)",
    prepare: ({ person: alice }) =>
      posts(alice, '/api/v2/filters', [
        { title: 'one', context: ['home'] },
        { title: 'two', context: ['home'] },
      ]),
  },
  'keywords of filters': {
    table: 'filter_keywords',
    owned: 'filter_id = any (array(select f.id from filters f where f.account_id = $1))',
    max: 2000,
    lock: 'select from filters where account_id = $1 for update',
    fill: `with made as (insert into filters (account_id, title, contexts) values ($1, 'x', '{home}') returning id)
      insert into filter_keywords (filter_id, keyword) select made.id, 'k' || n from made cross join generate_series(1, 1999) n`,
    async prepare({ person: alice, server }) {
      const [filter] = await sql(server, 'select id::text from filters where account_id = $1', [alice.id])
      return posts(alice, `/api/v2/filters/${String(filter?.['id'])}/keywords`, [
        { keyword: 'one' },
        { keyword: 'two' },
      ])
    },
  },
  'featured hashtags': {
    table: 'featured_tags',
    max: 10,
    fill: `with known as (
        insert into tags (name, display_name) select 'limit' || n, 'limit' || n from generate_series(1, 9) n returning id, name
      )
      insert into featured_tags (account_id, tag_id, name) select $1, known.id, known.name from known`,
    prepare: ({ person: alice }) => posts(alice, '/api/v1/featured_tags', [{ name: 'one' }, { name: 'two' }]),
  },
  pins: {
    table: 'status_pins',
    max: 5,
    lock: USER,
    fill: `with made as (
        insert into statuses (account_id, text, content, visibility)
        select $1, 'x', '<p>x</p>', 'public' from generate_series(1, 4) returning id
      )
      insert into status_pins (account_id, status_id) select $1, made.id from made`,
    async prepare({ person: alice }) {
      const ids = [(await alice.postStatus('one')).id, (await alice.postStatus('two')).id]
      return ids.map(id => async () => (await alice.post(`/api/v1/statuses/${id}/pin`)).status === 200)
    },
  },
  'scheduled posts': {
    table: 'scheduled_statuses',
    max: 300,
    lock: USER,
    fill: `insert into scheduled_statuses (account_id, scheduled_at, params, settled)
      select $1, now() + interval '30 days' + n * interval '2 hours', '{}', '{}' from generate_series(1, 299) n`,
    prepare: ({ person: alice }) =>
      posts(
        alice,
        '/api/v1/statuses',
        [1, 2].map(hours => ({
          status: 'later',
          scheduled_at: new Date(Date.now() + hours * 3_600_000).toISOString(),
        })),
      ),
  },
  'posts that are scheduled for a day': {
    table: 'scheduled_statuses',
    max: 25,
    lock: USER,
    fill: `insert into scheduled_statuses (account_id, scheduled_at, params, settled)
      select $1, timestamptz '2100-01-01 06:00Z' + n * interval '1 minute', '{}', '{}' from generate_series(1, 24) n`,
    prepare: ({ person: alice }) =>
      posts(
        alice,
        '/api/v1/statuses',
        ['2100-01-01T00:00:00Z', '2100-01-01T23:59:59Z'].map(time => ({ status: 'later', scheduled_at: time })),
      ),
  },
  collections: {
    table: 'collections',
    max: 10,
    fill: `insert into collections (account_id, name, sensitive, discoverable)
      select $1, 'x', false, true from generate_series(1, 9)`,
    prepare: ({ person: alice }) =>
      posts(
        alice,
        '/api/v1/collections',
        ['one', 'two'].map(name => ({ name, description: name, sensitive: false, discoverable: true })),
      ),
  },
}

for (const [name, limit] of Object.entries(LIMITS))
  test(`the limit of ${name} holds for simultaneous requests`, async t => {
    const one = await signedIn(t, 'alice')
    const { person: alice, server } = one
    await sql(server, limit.fill, [alice.id])
    const senders = await limit.prepare(one, t)
    const outcomes = await sendInTurn(t, server, limit.lock ?? ACCOUNT, alice.id, senders)
    const owned = limit.owned ?? 'account_id = $1'
    const rows = await sql(server, `select from ${limit.table} where ${owned}`, [
      limit.owner === 'user' ? alice.userId : alice.id,
    ])
    assert.deepEqual([outcomes.filter(Boolean).length, rows.length], [1, limit.max])
  })
