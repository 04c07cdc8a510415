import assert from 'node:assert/strict'
import { test } from 'tap'
import type { ClientResponse } from '../support/client.ts'
import { sql, uncachedAnonymous, waitForEventLog } from '../support/people.ts'
import { createCast, recountLinks, type Cast } from './effects.ts'

type State = 'fine' | 'disabled' | 'sensitized' | 'silenced' | 'suspended'

/** A row of the table: a read, and what it answers in the states in which it is not as usual. */
interface Row {
  ask(cast: Cast): Promise<ClientResponse>
  /** What a reader makes of the answer. */
  see(response: ClientResponse, cast: Cast): unknown
  readonly fine: unknown
  readonly sensitized?: unknown
  readonly silenced?: unknown
  readonly suspended?: unknown
}

/** Whether the answer contains the entity with the id. */
const has = (response: ClientResponse, id: string): unknown =>
  response.status === 200 ? response.text.includes(`"id":"${id}"`) : response.status

/** Whether the list has the status as an entry of its own, not only as a quote. */
function isListed(response: ClientResponse, id: string): unknown {
  if (response.status !== 200) return response.status
  const found = Array.isArray(response.json) ? response.json : (response.json as { statuses: unknown[] }).statuses
  return (found as { id: string }[]).some(one => one.id === id)
}

/** The entry of the target, if there is one: whether it says that it is suspended or limited. */
function entry(response: ClientResponse, { target }: Cast): unknown {
  if (response.status !== 200) return response.status
  const all = Array.isArray(response.json)
    ? (response.json as Record<string, unknown>[])
    : [response.json as Record<string, unknown>]
  const found = all.find(({ id }) => id === target.id)
  if (!found) return 'missing'
  return found['suspended'] === true ? 'suspended' : found['limited'] === true ? 'limited' : 'shown'
}

const count = (response: ClientResponse): unknown =>
  response.status === 200 && Array.isArray(response.json) ? response.json.length > 0 : response.status

/** How often one of the listed subjects was used today. */
function usesOf({ status, json }: ClientResponse, fits: (one: Record<string, unknown>) => boolean): unknown {
  if (status !== 200) return status
  const found = (json as Record<string, unknown>[]).find(fits)
  return found ? (found['history'] as { uses: string }[])[0]?.uses : 'missing'
}

const own = (rest: string): Row => ({
  ask: ({ friend, target }) => friend.get(`/api/v1/accounts/${target.id}/${rest}`),
  see: count,
  fine: true,
  suspended: false,
})

const entity = (ask: Row['ask']): Row => ({
  ask,
  see: entry,
  fine: 'shown',
  silenced: 'limited',
  suspended: 'suspended',
})

/** A list of accounts from which a suspended one is missing. */
const members = (ask: Row['ask']): Row => ({ ...entity(ask), suspended: 'missing' })

/** A list of statuses from which those of a suspended account are missing. */
const statuses = (ask: Row['ask']): Row => ({
  ask,
  see: (response, cast) => isListed(response, cast.status),
  fine: true,
  suspended: false,
})

/** A list from which the statuses of a limited account are missing too. */
const common = (ask: Row['ask']): Row => ({ ...statuses(ask), silenced: false })

const single = (ask: Row['ask']): Row => ({ ask, see: ({ status }) => status, fine: 200, suspended: 404 })

/** A page of its own, which nobody finds while the account is suspended. */
const page = (path: (cast: Cast) => string): Row => ({
  ask: cast => cast.anonymous.get(path(cast), {}, { accept: 'text/html' }),
  see: ({ status }) => status,
  fine: 200,
  suspended: 404,
})

/** A page that shows what everybody finds. */
const words = (path: (cast: Cast) => string, accept: string): Row => ({
  ask: cast => cast.anonymous.get(path(cast), {}, { accept }),
  see: ({ text }, { word }) => text.includes(`${word} `),
  fine: true,
  silenced: false,
  suspended: false,
})

const ROWS: Readonly<Record<string, Row>> = {
  account: entity(({ stranger, target }) => stranger.get(`/api/v1/accounts/${target.id}`)),
  'account, anonymous': entity(({ anonymous, target }) => anonymous.get(`/api/v1/accounts/${target.id}`)),
  lookup: entity(({ stranger, target }) => stranger.get('/api/v1/accounts/lookup', { acct: target.username })),
  'several accounts': entity(({ stranger, target }) => stranger.get('/api/v1/accounts', { 'id[]': target.id })),
  'statuses of the account': own('statuses'),
  'followers of the account': own('followers'),
  'accounts that it follows': own('following'),
  'featured hashtags': own('featured_tags'),
  'endorsements by the account': own('endorsements'),
  'lists with the account': own('lists'),
  relationships: {
    ask: ({ friend, target }) => friend.get('/api/v1/accounts/relationships', { 'id[]': target.id }),
    see: count,
    fine: true,
    suspended: false,
  },
  'relationships with suspended': {
    ask: ({ friend, target }) =>
      friend.get('/api/v1/accounts/relationships', { 'id[]': target.id, with_suspended: 'true' }),
    see: count,
    fine: true,
  },
  'familiar followers': {
    ask: ({ friend }) => friend.get('/api/v1/accounts/familiar_followers', { 'id[]': friend.id }),
    see: (response, { target }) => has(response, target.id),
    fine: true,
    suspended: false,
  },
  'followers of others': entity(({ stranger, friend }) => stranger.get(`/api/v1/accounts/${friend.id}/followers`)),
  'follows of others': entity(({ stranger, friend }) => stranger.get(`/api/v1/accounts/${friend.id}/following`)),
  'favourited by': members(({ stranger, theirs }) => stranger.get(`/api/v1/statuses/${theirs}/favourited_by`)),
  'reblogged by': members(({ stranger, theirs }) => stranger.get(`/api/v1/statuses/${theirs}/reblogged_by`)),
  'members of a list': members(({ friend, list }) => friend.get(`/api/v1/lists/${list}/accounts`)),
  'endorsements of others': members(({ friend }) => friend.get('/api/v1/endorsements')),
  blocks: members(({ foe }) => foe.get('/api/v1/blocks')),
  mutes: members(({ hermit }) => hermit.get('/api/v1/mutes')),
  'follow requests': members(({ hermit }) => hermit.get('/api/v1/follow_requests')),
  status: single(({ stranger, status }) => stranger.get(`/api/v1/statuses/${status}`)),
  context: single(({ stranger, status }) => stranger.get(`/api/v1/statuses/${status}/context`)),
  history: single(({ stranger, status }) => stranger.get(`/api/v1/statuses/${status}/history`)),
  poll: single(({ stranger, poll }) => stranger.get(`/api/v1/polls/${poll}`)),
  'a boost of it': single(({ stranger, boost }) => stranger.get(`/api/v1/statuses/${boost}`)),
  bookmarks: statuses(({ friend }) => friend.get('/api/v1/bookmarks')),
  favourites: statuses(({ friend }) => friend.get('/api/v1/favourites')),
  home: statuses(({ friend }) => friend.get('/api/v1/timelines/home', { limit: '40' })),
  'list timeline': statuses(({ friend, list }) => friend.get(`/api/v1/timelines/list/${list}`)),
  'public timeline': common(({ stranger }) => stranger.get('/api/v1/timelines/public', { limit: '40' })),
  'public timeline of a follower': common(({ friend }) => friend.get('/api/v1/timelines/public', { limit: '40' })),
  'public timeline, anonymous': common(({ anonymous }) => anonymous.get('/api/v1/timelines/public', { limit: '40' })),
  'local timeline': common(({ stranger }) => stranger.get('/api/v1/timelines/public', { local: 'true', limit: '40' })),
  hashtag: common(({ stranger, tag }) => stranger.get(`/api/v1/timelines/tag/${tag}`)),
  'hashtag, anonymous': common(({ anonymous, tag }) => anonymous.get(`/api/v1/timelines/tag/${tag}`)),
  "the answer in another's thread, for a stranger": {
    ask: ({ stranger, theirs }) => stranger.get(`/api/v1/statuses/${theirs}/context`),
    see: ({ text }) => text.includes('an answer'),
    fine: true,
    silenced: false,
    suspended: false,
  },
  "the answer in another's thread, for a follower": {
    ask: ({ friend, theirs }) => friend.get(`/api/v1/statuses/${theirs}/context`),
    see: ({ text }) => text.includes('an answer'),
    fine: true,
    suspended: false,
  },
  'search for statuses, by a stranger': common(({ stranger, word }) =>
    stranger.get('/api/v2/search', { q: word, type: 'statuses' }),
  ),
  'search for statuses, by a follower': statuses(({ friend, word }) =>
    friend.get('/api/v2/search', { q: word, type: 'statuses' }),
  ),
  'search by handle': {
    ask: ({ stranger, target }) => stranger.get('/api/v2/search', { q: target.username, type: 'accounts' }),
    see: (response, { target }) => has(response, target.id),
    fine: true,
    suspended: false,
  },
  'accounts/search': {
    ask: ({ stranger, target }) => stranger.get('/api/v1/accounts/search', { q: target.username }),
    see: (response, { target }) => has(response, target.id),
    fine: true,
    suspended: false,
  },
  directory: {
    ask: ({ stranger }) => stranger.get('/api/v1/directory', { order: 'new', local: 'true', limit: '80' }),
    see: (response, { target }) => has(response, target.id),
    fine: true,
    silenced: false,
    suspended: false,
  },
  notifications: {
    ask: ({ friend }) => friend.get('/api/v1/notifications', { limit: '80' }),
    see: (response, { target }) => has(response, target.id),
    fine: true,
    suspended: false,
  },
  'notifications in groups': {
    ask: ({ friend }) => friend.get('/api/v2/notifications', { limit: '80' }),
    see: (response, { target }) => has(response, target.id),
    fine: true,
    suspended: false,
  },
  'a quote of it': {
    ask: ({ stranger, quote }) => stranger.get(`/api/v1/statuses/${quote}`),
    see: ({ json }) => (json as { quote: { state: string } }).quote.state,
    fine: 'accepted',
    suspended: 'unauthorized',
  },
  'profile page': {
    ask: ({ anonymous, target }) => anonymous.get(`/@${target.username}`, {}, { accept: 'text/html' }),
    see: ({ status }) => status,
    fine: 200,
    suspended: 403,
  },
  'profile as RSS': {
    ask: ({ anonymous, target }) => anonymous.get(`/@${target.username}.rss`),
    see: ({ status }) => status,
    fine: 200,
    suspended: 403,
  },
  'trending statuses': {
    ...common(({ stranger }) => stranger.get('/api/v1/trends/statuses', { limit: '40' })),
    sensitized: false,
  },
  'trending statuses, anonymous': {
    ...common(({ anonymous }) => anonymous.get('/api/v1/trends/statuses', { limit: '40' })),
    sensitized: false,
  },
  'timeline of a link': common(({ stranger, url }) => stranger.get('/api/v1/timelines/link', { url })),
  'timeline of a link, anonymous': common(({ anonymous, url }) => anonymous.get('/api/v1/timelines/link', { url })),
  'use of a hashtag': {
    ask: ({ stranger, tag }) => stranger.get(`/api/v1/tags/${tag}`),
    see: ({ json }) => (json as { history: { uses: string }[] }).history[0]?.uses,
    fine: '1',
    silenced: '0',
    suspended: '0',
  },
  'use of a trending hashtag': {
    ask: ({ stranger }) => stranger.get('/api/v1/trends/tags', { limit: '20' }),
    see: (response, { tag }) => usesOf(response, one => one['name'] === tag),
    fine: '1',
    silenced: '0',
    suspended: '0',
  },
  'use of a trending link, after a recount': {
    async ask(cast) {
      await recountLinks(cast)
      return uncachedAnonymous(cast.server).get('/api/v1/trends/links', { limit: '20' })
    },
    see: (response, { url }) => usesOf(response, one => one['url'] === url),
    // The status, and the friend's boost of it.
    fine: '2',
    silenced: '0',
    suspended: '0',
  },
  // It shows what trends.
  'landing page': { ...words(() => '/', 'text/html'), sensitized: false },
  'page of the local timeline': {
    ask: ({ anonymous }) => anonymous.get('/public/local', {}, { accept: 'text/html' }),
    // Quotes of it do not count.
    see: ({ status: code, text }, { status }) => (code === 200 ? text.includes(`data-status="${status}"`) : code),
    fine: true,
    silenced: false,
    suspended: false,
  },
  suggestions: {
    ask: ({ stranger }) => stranger.get('/api/v2/suggestions', { limit: '80' }),
    see: (response, { target }) => has(response, target.id),
    fine: true,
    silenced: false,
    suspended: false,
  },
  'page of the status': { ...page(({ target, status }) => `/@${target.username}/${status}`), suspended: 403 },
  'embedded status': page(({ target, status }) => `/@${target.username}/${status}/embed`),
  'status as oEmbed': {
    ask: ({ anonymous, target, status, server }) =>
      anonymous.get('/api/oembed', { url: new URL(`/@${target.username}/${status}`, server.url).href }),
    see: ({ status }) => status,
    fine: 200,
    suspended: 404,
  },
  'page of the hashtag': words(({ tag }) => `/tags/${tag}`, 'text/html'),
  'hashtag as RSS': words(({ tag }) => `/tags/${tag}.rss`, 'application/rss+xml'),
  WebFinger: {
    ask: ({ anonymous, target, server }) =>
      anonymous.get('/.well-known/webfinger', { resource: `acct:${target.username}@${new URL(server.url).host}` }),
    see: ({ status }) => status,
    fine: 200,
  },
}

const ACTIONS: Readonly<Record<Exclude<State, 'fine'>, readonly [action: string, reversal: string]>> = {
  disabled: ['disable', 'enable'],
  sensitized: ['sensitive', 'unsensitive'],
  silenced: ['silence', 'unsilence'],
  suspended: ['suspend', 'unsuspend'],
}

/** Asks for every row; gives those that are not as the table says. */
async function differences(cast: Cast, state: State): Promise<string[]> {
  const faults: string[] = []
  for (const [name, row] of Object.entries(ROWS)) {
    const seen = row.see(await row.ask(cast), cast)
    const expected = state === 'fine' || state === 'disabled' ? row.fine : (row[state] ?? row.fine)
    if (seen !== expected) faults.push(`${state}: ${name} shows ${String(seen)} instead of ${String(expected)}`)
  }
  return faults
}

for (const [state, [action, reversal]] of Object.entries(ACTIONS)) {
  test(`each place shows an account that is ${state} as the table says, and as before afterwards`, async t => {
    const cast = await createCast(t)
    assert.deepEqual(await differences(cast, 'fine'), [])
    const { moderator, target } = cast
    const acted = await moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: action })
    assert.equal(acted.status, 200, acted.text)
    await waitForEventLog(moderator)
    assert.deepEqual(await differences(cast, state as State), [])
    assert.equal((await moderator.post(`/api/v1/admin/accounts/${target.id}/${reversal}`)).status, 200)
    await waitForEventLog(moderator)
    assert.deepEqual(await differences(cast, 'fine'), [])
  })
}

test('of a suspended account nothing of its own is shown', async t => {
  const { target, moderator, stranger, server } = await createCast(t)
  await sql(
    server,
    `update accounts set note = 'n', note_html = '<p>n</p>', fields = '[{"name": "a", "value": "b"}]', locked = true,
       actor_type = 'Service' where id = $1`,
    [target.id],
  )
  await moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: 'suspend' })
  const shown = (await stranger.get(`/api/v1/accounts/${target.id}`)).json as Record<string, unknown>
  const blank = { display_name: '', note: '', fields: [], emojis: [], roles: [], locked: false, bot: false }
  for (const [name, value] of Object.entries({ ...blank, discoverable: false, indexable: false, moved: null }))
    assert.deepEqual(shown[name] ?? (name === 'moved' ? null : shown[name]), value, name)
  assert.equal(shown['followers_count'], 1)
  assert.match(String(shown['avatar']), /missing|default/)
})

test('others may leave a suspended account, but not follow it', async t => {
  const { target, moderator, friend, stranger } = await createCast(t)
  await moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: 'suspend' })
  const act = async (who: typeof friend, action: string): Promise<number> =>
    (await who.post(`/api/v1/accounts/${target.id}/${action}`)).status
  assert.equal(await act(stranger, 'follow'), 404)
  for (const action of ['unfollow', 'mute', 'unmute', 'block', 'unblock'])
    assert.equal(await act(friend, action), 200, action)
})

test('a limited account posts unlisted, and its follows need approval', async t => {
  const { target, moderator, stranger, friend } = await createCast(t)
  await moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: 'silence' })
  assert.equal((await target.postStatus('quiet')).visibility, 'unlisted')
  const { json } = await target.post(`/api/v1/accounts/${stranger.id}/follow`)
  const { following, requested } = json as { following: boolean; requested: boolean }
  assert.deepEqual([following, requested], [false, true])
  await target.postStatus(`@${stranger.username} hello`)
  const received = (await stranger.get('/api/v1/notifications')).json as { type: string }[]
  assert.deepEqual(
    received.filter(({ type }) => type === 'mention'),
    [],
  )
  await target.postStatus(`@${friend.username} hello`)
  const [first] = (await friend.get('/api/v1/notifications')).json as { type: string }[]
  assert.equal(first?.type, 'mention')
})

test('every status of an account whose media are forced sensitive is shown as sensitive', async t => {
  const { target, moderator, stranger, status } = await createCast(t)
  await moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: 'sensitive' })
  const { id } = await target.postStatus('new')
  for (const one of [status, id]) {
    const shown = (await stranger.get(`/api/v1/statuses/${one}`)).json as { sensitive: boolean }
    assert.equal(shown.sensitive, true)
  }
})

test('streams of everybody leave out a limited account', async t => {
  const { target, moderator, stranger, friend, tag } = await createCast(t)
  const open = [
    await stranger.stream('public'),
    await stranger.stream('public:local'),
    await stranger.stream('hashtag', { tag }),
  ]
  const home = await friend.stream('user')
  const next = async (socket: (typeof open)[number]): Promise<string> =>
    ((await socket.next('update')).payload as { id: string }).id
  const { id: before } = await target.postStatus(`before #${tag}`)
  for (const socket of [...open, home]) assert.equal(await next(socket), before)
  await moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: 'silence' })
  const { id: limited } = await target.postStatus(`limited #${tag}`)
  const { id: after } = await friend.postStatus(`after #${tag}`)
  for (const socket of open) assert.equal(await next(socket), after)
  assert.equal(await next(home), limited)
})
