import assert from 'node:assert/strict'
import { createRestAPIClient, MastoHttpError, type mastodon } from 'masto'
import sharp from 'sharp'
import { test } from 'tap'
import { sharedServer } from '../support/server.ts'
import { applicationToken, follow, mastoUser, registerClient } from './masto_client.ts'

const nameOf = ({ username }: { username: string }): string => username

/** All pages of a list, in order. */
async function readAll<T>(pages: mastodon.Paginator<T[], unknown>): Promise<T[][]> {
  const read: T[][] = []
  for await (const page of pages) read.push(page)
  return read
}

test('an application works with and without its own token', async () => {
  const server = await sharedServer()
  const application = await registerClient(server)
  const accessToken = await applicationToken(server, application)
  const rest = createRestAPIClient({ url: server.url, accessToken })
  assert.equal((await rest.v1.apps.verifyCredentials()).name, 'Masto test')
  await assert.rejects(
    rest.v1.accounts.verifyCredentials(),
    error => error instanceof MastoHttpError && error.statusCode === 422,
  )
  const anonymous = createRestAPIClient({ url: server.url })
  assert.equal((await anonymous.v2.instance.fetch()).domain, new URL(server.url).host)
  await assert.rejects(anonymous.v1.statuses.create({ status: 'x' }), error => {
    return (
      error instanceof MastoHttpError && error.statusCode === 401 && error.message === 'The access token is invalid'
    )
  })
})

test('signed-in users post, reply, favourite, boost and bookmark', async t => {
  const [alice, bob] = await Promise.all([mastoUser(t, 'alice'), mastoUser(t, 'bob')])
  const status = await alice.rest.v1.statuses.create({ status: 'a #quiet morning', language: 'en' })
  assert.equal(status.account.id, alice.me.id)
  const response = await bob.rest.v1.statuses.create({
    status: `@${nameOf(alice.me)} indeed`,
    inReplyToId: status.id,
    visibility: 'unlisted',
  })
  const chosen = bob.rest.v1.statuses.$select(status.id)
  assert.equal((await chosen.favourite()).favouritesCount, 1)
  assert.equal((await chosen.bookmark()).bookmarked, true)
  const boost = await chosen.reblog()
  assert.equal(boost.reblog?.id, status.id)
  const seen = await chosen.fetch()
  assert.deepEqual(
    [seen.favourited, seen.reblogged, seen.bookmarked, seen.reblogsCount, seen.repliesCount],
    [true, true, true, 1, 1],
  )
  const { descendants } = await chosen.context.fetch()
  assert.deepEqual(
    descendants.map(one => one.id),
    [response.id],
  )
  assert.deepEqual((await chosen.favouritedBy.list()).map(nameOf), [nameOf(bob.me)])
  assert.deepEqual((await chosen.rebloggedBy.list()).map(nameOf), [nameOf(bob.me)])
  assert.deepEqual(
    (await bob.rest.v1.bookmarks.list()).map(one => one.id),
    [status.id],
  )
  assert.deepEqual(
    (await bob.rest.v1.favourites.list()).map(one => one.id),
    [status.id],
  )
  const edited = await alice.rest.v1.statuses.$select(status.id).update({ status: 'a #quiet evening' })
  assert.match(edited.content, /evening/)
  assert.equal((await chosen.history.list()).length, 2)
  for (const undo of [chosen.unfavourite(), chosen.unbookmark(), chosen.unreblog()]) await undo
  const after = await chosen.fetch()
  assert.deepEqual([after.favourited, after.reblogged, after.bookmarked], [false, false, false])
  await alice.rest.v1.statuses.$select(status.id).remove()
  await assert.rejects(chosen.fetch(), error => error instanceof MastoHttpError && error.statusCode === 404)
})

test('timelines are paged to the end and back', async t => {
  const [alice, bob] = await Promise.all([mastoUser(t, 'alice'), mastoUser(t, 'bob')])
  await bob.rest.v1.accounts.$select(alice.me.id).follow()
  const made: string[] = []
  for (let count = 0; count < 45; count += 1) {
    made.unshift((await alice.rest.v1.statuses.create({ status: `#ladder ${count}` })).id)
  }
  const ids = (pages: mastodon.v1.Status[][]): string[] => pages.flat().map(one => one.id)
  const timelines = bob.rest.v1.timelines
  const home = await readAll(timelines.home.list({ limit: 20 }))
  // A timeline links to a next page unless the page is empty.
  assert.deepEqual(
    home.map(page => page.length),
    [20, 20, 5, 0],
  )
  assert.deepEqual(ids(home), made)
  assert.deepEqual(ids(await readAll(timelines.tag.$select('ladder').list({ limit: 40 }))), made)
  const byAlice = bob.rest.v1.accounts.$select(alice.me.id).statuses.list({ limit: 15 })
  assert.deepEqual(ids(await readAll(byAlice)), made)
  const oldest = made.at(-1) ?? ''
  const upwards = timelines.home.list({ limit: 20, minId: oldest }).setDirection('prev')
  assert.deepEqual(ids((await readAll(upwards)).reverse()), made.slice(0, -1))
})

test('users follow each other and are notified', async t => {
  const [alice, bob] = await Promise.all([mastoUser(t, 'alice'), mastoUser(t, 'bob')])
  const relationship = await alice.rest.v1.accounts.$select(bob.me.id).follow()
  assert.equal(relationship.following, true)
  const [back] = await bob.rest.v1.accounts.relationships.fetch({ id: [alice.me.id] })
  assert.equal(back?.followedBy, true)
  const status = await bob.rest.v1.statuses.create({ status: `hello @${nameOf(alice.me)}` })
  await alice.rest.v1.statuses.$select(status.id).favourite()
  await alice.rest.v1.statuses.$select(status.id).reblog()
  const types = (await bob.rest.v1.notifications.list()).map(one => `${one.type} by ${nameOf(one.account)}`)
  assert.deepEqual(
    types,
    ['reblog', 'favourite', 'follow'].map(type => `${type} by ${nameOf(alice.me)}`),
  )
  const [mention] = await alice.rest.v1.notifications.list({ types: ['mention'] })
  assert.equal(mention?.status?.id, status.id)
  assert.equal((await alice.rest.v1.notifications.unreadCount.fetch()).count, 1)
  await alice.rest.v1.notifications.clear()
  assert.deepEqual(await alice.rest.v1.notifications.list(), [])
  assert.deepEqual((await alice.rest.v1.accounts.$select(bob.me.id).followers.list()).map(nameOf), [nameOf(alice.me)])
})

test('users create collections of each other and leave them', async t => {
  const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map(name => mastoUser(t, name)))
  assert.ok(alice && bob && carol)
  for (const willing of [bob, carol]) await willing.rest.v1.accounts.updateCredentials({ discoverable: true })
  const { collection } = await alice.rest.v1.collections.create({
    name: 'choir',
    sensitive: false,
    discoverable: true,
    accountIds: [bob.me.id],
  })
  const chosen = alice.rest.v1.collections.$select(collection.id)
  const { collectionItem } = await chosen.items.create({ accountId: carol.me.id })
  await chosen.items.$select(collectionItem.id).remove()
  const [own] = collection.items
  assert.ok(own)
  await bob.rest.v1.collections.$select(collection.id).items.$select(own.id).revoke()
  assert.equal((await chosen.fetch()).collection.itemCount, 0)
  await chosen.remove()
  await assert.rejects(chosen.fetch(), error => error instanceof MastoHttpError && error.statusCode === 404)
})

test('users upload, ask, schedule, search and filter', async t => {
  const [alice, bob] = await Promise.all([mastoUser(t, 'alice'), mastoUser(t, 'bob')])
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1d6f8a' } })
    .png()
    .toBuffer()
  const file = new Blob([new Uint8Array(png)], { type: 'image/png' })
  const attachment = await alice.rest.v2.media.create({ file, description: 'water', focus: '0.5,-0.5' })
  const shown = await alice.rest.v1.statuses.create({ status: 'look', mediaIds: [attachment.id] })
  assert.deepEqual(
    shown.mediaAttachments.map(one => [one.type, one.description]),
    [['image', 'water']],
  )
  const asked = await alice.rest.v1.statuses.create({
    status: 'which?',
    poll: { options: ['tea', 'coffee'], expiresIn: 600, multiple: true },
  })
  const { votes } = bob.rest.v1.polls.$select(asked.poll?.id ?? '')
  const voted = await votes.create({ choices: [0, 1] })
  assert.deepEqual([voted.voted, voted.votersCount, voted.votesCount], [true, 1, 2])
  const { scheduledStatuses } = alice.rest.v1
  const later = await alice.rest.v1.statuses.create({
    status: 'later',
    scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  assert.deepEqual(
    (await scheduledStatuses.list()).map(one => one.id),
    [later.id],
  )
  await scheduledStatuses.$select(later.id).remove()
  assert.deepEqual(await scheduledStatuses.list(), [])
  const found = await alice.rest.v2.search.list({ q: nameOf(bob.me), type: 'accounts' })
  assert.deepEqual(
    found.accounts.map(one => one.id),
    [bob.me.id],
  )
  const filter = await alice.rest.v2.filters.create({
    title: 'tapirs',
    context: ['home', 'public'],
    filterAction: 'warn',
    keywordsAttributes: [{ keyword: 'tapir', wholeWord: true }],
  })
  const noted = await bob.rest.v1.statuses.create({ status: 'a tapir' })
  const [hit] = (await alice.rest.v1.statuses.$select(noted.id).fetch()).filtered ?? []
  assert.deepEqual([hit?.filter.id, hit?.keywordMatches], [filter.id, ['tapir']])
  await alice.rest.v2.filters.$select(filter.id).remove()
  assert.deepEqual(await alice.rest.v2.filters.list(), [])
})

test('users mute, block, keep lists and markers, and talk directly', async t => {
  const [alice, bob] = await Promise.all([mastoUser(t, 'alice'), mastoUser(t, 'bob')])
  const chosen = alice.rest.v1.accounts.$select(bob.me.id)
  await chosen.follow()
  await bob.rest.v1.accounts.$select(alice.me.id).follow()
  const list = await alice.rest.v1.lists.create({ title: 'choir' })
  await alice.rest.v1.lists.$select(list.id).accounts.create({ accountIds: [bob.me.id] })
  const status = await bob.rest.v1.statuses.create({ status: 'hello' })
  assert.deepEqual(
    (await alice.rest.v1.timelines.list.$select(list.id).list()).map(one => one.id),
    [status.id],
  )
  await alice.rest.v1.markers.create({ home: { lastReadId: status.id } })
  assert.equal((await alice.rest.v1.markers.fetch({ timeline: ['home'] })).home.lastReadId, status.id)
  const secret = await alice.rest.v1.statuses.create({ status: `@${nameOf(bob.me)} psst`, visibility: 'direct' })
  const [conversation] = await bob.rest.v1.conversations.list()
  assert.deepEqual([conversation?.lastStatus?.id, conversation?.unread], [secret.id, true])
  assert.equal((await bob.rest.v1.conversations.$select(conversation?.id ?? '').read()).unread, false)
  const groups = await bob.rest.v2.notifications.list()
  assert.deepEqual(groups.notificationGroups.map(({ type }) => type).toSorted(), ['follow', 'mention'])
  assert.equal((await chosen.mute({ notifications: true })).muting, true)
  assert.deepEqual((await alice.rest.v1.mutes.list()).map(nameOf), [nameOf(bob.me)])
  assert.equal((await chosen.unmute()).muting, false)
  assert.equal((await chosen.block()).blocking, true)
  assert.deepEqual((await alice.rest.v1.blocks.list()).map(nameOf), [nameOf(bob.me)])
  assert.ok((await alice.rest.v1.timelines.home.list()).every(one => one.account.id === alice.me.id))
})

test('each action sends WebSocket messages to the right streams', async t => {
  const [alice, bob] = await Promise.all([mastoUser(t, 'alice'), mastoUser(t, 'bob')])
  await alice.rest.v1.accounts.$select(bob.me.id).follow()
  const list = await alice.rest.v1.lists.create({ title: 'choir' })
  await alice.rest.v1.lists.$select(list.id).accounts.create({ accountIds: [bob.me.id] })
  const { streaming } = alice
  const streams = {
    user: await follow(streaming.user.subscribe()),
    public: await follow(streaming.public.subscribe()),
    local: await follow(streaming.public.local.subscribe()),
    hashtag: await follow(streaming.hashtag.subscribe({ tag: 'quiet' })),
    list: await follow(streaming.list.subscribe({ list: list.id })),
    direct: await follow(streaming.direct.subscribe()),
    notification: await follow(streaming.user.notification.subscribe()),
  }
  type Name = keyof typeof streams
  const expect = async (
    names: Name[],
    event: mastodon.streaming.Event['event'],
    fits: (payload: unknown) => boolean,
  ): Promise<void> => {
    for (const name of names) {
      await streams[name].take(`"${event}" on ${name}`, one => one.event === event && fits(one.payload))
    }
  }
  const withId = (id: string) => (payload: unknown) => (payload as { id: string }).id === id
  const everywhere: Name[] = ['user', 'public', 'local', 'hashtag', 'list']

  const status = await bob.rest.v1.statuses.create({ status: 'a #quiet morning' })
  await expect(everywhere, 'update', withId(status.id))
  await bob.rest.v1.statuses.$select(status.id).update({ status: 'a #quiet evening' })
  await expect(everywhere, 'status.update', payload => (payload as mastodon.v1.Status).content.includes('evening'))
  await bob.rest.v1.statuses.$select(status.id).remove()
  await expect(everywhere, 'delete', payload => payload === status.id)

  const own = await alice.rest.v1.statuses.create({ status: 'mine' })
  await bob.rest.v1.statuses.$select(own.id).favourite()
  const isFavourite = (payload: unknown): boolean => (payload as mastodon.v1.Notification).type === 'favourite'
  await expect(['user', 'notification'], 'notification', isFavourite)

  const secret = await bob.rest.v1.statuses.create({ status: `@${nameOf(alice.me)} psst`, visibility: 'direct' })
  await expect(['user'], 'update', withId(secret.id))
  await expect(['direct'], 'conversation', payload => {
    return (payload as mastodon.v1.Conversation).lastStatus?.id === secret.id
  })
})
