import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import megalodon, { detector, type Entity, type MegalodonInterface, type WebSocketInterface } from 'megalodon'
import sharp from 'sharp'
import { test, type Test } from 'tap'
import { Inbox } from '../support/inbox.ts'
import { person } from '../support/people.ts'
import { sharedServer } from '../support/server.ts'

/* The main flows of clients that are built on megalodon. */

interface User {
  readonly rest: MegalodonInterface
  readonly me: Entity.Account
}

async function user(name: string): Promise<User> {
  const server = await sharedServer()
  const { token = '' } = await person(server, name)
  const rest = megalodon.default('mastodon', server.url, token)
  return { rest, me: (await rest.verifyAccountCredentials()).data }
}

const idsOf = (entities: readonly { id: string }[]): string[] => entities.map(({ id }) => id)

/** A posted status; megalodon's type also allows for a scheduled one. */
function posted({ data }: { data: Entity.Status | Entity.ScheduledStatus }): Entity.Status {
  assert.ok('content' in data)
  return data
}

const isNotFound = (error: unknown): boolean => error instanceof Error && error.message.includes('404')

test('megalodon reads the instance and registers an application', async () => {
  const { url } = await sharedServer()
  const anonymous = megalodon.default('mastodon', url)
  const { data: instance } = await anonymous.getInstance()
  assert.equal(instance.uri, new URL(url).host)
  const application = await anonymous.registerApp('Megalodon test', { scopes: ['read', 'write', 'follow'] })
  assert.match(application.url ?? '', /\/oauth\/authorize\?/)
  await assert.rejects(anonymous.verifyAccountCredentials(), /401/)
})

test('megalodon detects an API that it speaks', async () => {
  const { url } = await sharedServer()
  assert.equal(await detector(url), 'mastodon')
})

test('users of megalodon post, edit, interact and delete', async () => {
  const [alice, bob] = [await user('alice'), await user('bob')]
  const status = posted(await alice.rest.postStatus('a #quiet morning', { language: 'en', spoiler_text: 'tea' }))
  assert.deepEqual([status.account.id, status.spoiler_text, status.tags[0]?.name], [alice.me.id, 'tea', 'quiet'])
  const reply = posted(await bob.rest.postStatus(`@${alice.me.acct} indeed`, { in_reply_to_id: status.id }))
  assert.equal((await bob.rest.favouriteStatus(status.id)).data.favourites_count, 1)
  assert.equal((await bob.rest.reblogStatus(status.id)).data.reblog?.id, status.id)
  assert.equal((await bob.rest.bookmarkStatus(status.id)).data.bookmarked, true)
  assert.deepEqual(idsOf((await bob.rest.getStatusContext(status.id)).data.descendants), [reply.id])
  assert.deepEqual(idsOf((await alice.rest.getStatusFavouritedBy(status.id)).data), [bob.me.id])
  assert.deepEqual(idsOf((await alice.rest.getStatusRebloggedBy(status.id)).data), [bob.me.id])
  assert.deepEqual(idsOf((await bob.rest.getBookmarks()).data), [status.id])
  assert.deepEqual(idsOf((await bob.rest.getFavourites()).data), [status.id])
  assert.equal((await alice.rest.pinStatus(status.id)).data.pinned, true)
  assert.match((await alice.rest.editStatus(status.id, { status: 'a #quiet evening' })).data.content, /evening/)
  assert.equal((await alice.rest.getStatusSource(status.id)).data.text, 'a #quiet evening')
  for (const undo of ['unfavouriteStatus', 'unreblogStatus', 'unbookmarkStatus'] as const)
    await bob.rest[undo](status.id)
  const { data: after } = await bob.rest.getStatus(status.id)
  assert.deepEqual([after.favourited, after.reblogged, after.bookmarked, after.replies_count], [false, false, false, 1])
  await alice.rest.deleteStatus(status.id)
  await assert.rejects(bob.rest.getStatus(status.id), isNotFound)
})

test('users of megalodon upload, ask and schedule', async t => {
  const [alice, bob] = [await user('alice'), await user('bob')]
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-megalodon-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'water.png')
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1d6f8a' } }).toFile(file)
  const { data: attachment } = await alice.rest.uploadMedia(createReadStream(file), { description: 'water' })
  const shown = posted(await alice.rest.postStatus('look', { media_ids: [attachment.id] }))
  assert.deepEqual(
    shown.media_attachments.map(one => [one.type, one.description]),
    [['image', 'water']],
  )
  const asked = posted(await alice.rest.postStatus('tea?', { poll: { options: ['yes', 'no'], expires_in: 600 } }))
  const poll = (await bob.rest.votePoll(asked.poll?.id ?? '', [1])).data
  assert.deepEqual([poll.votes_count, poll.voted, poll.options[1]?.votes_count], [1, true, 1])
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const { data: scheduled } = await alice.rest.postStatus('later', { scheduled_at: at })
  assert.deepEqual(idsOf((await alice.rest.getScheduledStatuses()).data), [scheduled.id])
  await alice.rest.cancelScheduledStatus(scheduled.id)
  assert.deepEqual((await alice.rest.getScheduledStatuses()).data, [])
})

test('users of megalodon follow, list, mute, block and search', async () => {
  const [alice, bob] = [await user('alice'), await user('bob')]
  assert.equal((await alice.rest.followAccount(bob.me.id)).data.following, true)
  assert.equal((await bob.rest.getRelationship(alice.me.id)).data.followed_by, true)
  const status = posted(await bob.rest.postStatus('hello'))
  assert.deepEqual(idsOf((await alice.rest.getHomeTimeline()).data), [status.id])
  const { data: list } = await alice.rest.createList('choir')
  await alice.rest.addAccountsToList(list.id, [bob.me.id])
  assert.deepEqual(idsOf((await alice.rest.getListTimeline(list.id)).data), [status.id])
  assert.deepEqual(idsOf((await alice.rest.getAccountsInList(list.id)).data), [bob.me.id])
  assert.deepEqual(idsOf((await alice.rest.search(bob.me.acct, { type: 'accounts' })).data.accounts), [bob.me.id])
  assert.equal((await alice.rest.muteAccount(bob.me.id, true)).data.muting, true)
  assert.deepEqual(idsOf((await alice.rest.getMutes()).data), [bob.me.id])
  await alice.rest.unmuteAccount(bob.me.id)
  const { data: filter } = await alice.rest.createFilter('tapirs', ['home'], { whole_word: true })
  assert.deepEqual(idsOf((await alice.rest.getFilters()).data), [filter.id])
  assert.equal((await alice.rest.blockAccount(bob.me.id)).data.blocking, true)
  assert.deepEqual((await alice.rest.getHomeTimeline()).data, [])
  assert.deepEqual(idsOf((await alice.rest.getBlocks()).data), [bob.me.id])
})

test('users of megalodon are notified and talk directly', async () => {
  const [alice, bob] = [await user('alice'), await user('bob')]
  const status = posted(await alice.rest.postStatus('hello'))
  await bob.rest.followAccount(alice.me.id)
  await bob.rest.favouriteStatus(status.id)
  await bob.rest.postStatus(`@${alice.me.acct} hello`)
  const { data: notifications } = await alice.rest.getNotifications()
  assert.deepEqual(
    notifications.map(one => [one.type, one.account?.id]),
    ['mention', 'favourite', 'follow'].map(type => [type, bob.me.id]),
  )
  await alice.rest.dismissNotifications()
  assert.deepEqual((await alice.rest.getNotifications()).data, [])
  const secret = posted(await alice.rest.postStatus(`@${bob.me.acct} psst`, { visibility: 'direct' }))
  const [conversation] = (await bob.rest.getConversationTimeline()).data
  assert.deepEqual([conversation?.last_status?.id, conversation?.unread], [secret.id, true])
  assert.equal((await bob.rest.readConversation(conversation?.id ?? '')).data.unread, false)
  await alice.rest.saveMarkers({ home: { last_read_id: status.id } })
  assert.deepEqual(Object.keys((await alice.rest.getMarkers(['home'])).data), ['home'])
})

interface Message {
  readonly event: string
  readonly payload: unknown
}

/** How many posts a stream may miss before it has begun. */
const MAX_PROBES = 500

/** Reads a stream into an inbox, from the first post that it brings. */
async function listen(t: Test, stream: WebSocketInterface, probe: () => Promise<unknown>): Promise<Inbox<Message>> {
  const inbox = new Inbox<Message>(({ event }) => event)
  for (const event of ['update', 'notification', 'delete', 'conversation', 'status_update'])
    stream.on(event, (payload: unknown) => inbox.push({ event, payload }))
  stream.on('error', (error: unknown) => inbox.fail(error))
  t.after(() => stream.stop())
  for (let count = 0; inbox.messages.length === 0; count += 1) {
    assert.ok(count < MAX_PROBES, 'the stream brings nothing')
    await probe()
  }
  return inbox
}

test('users of megalodon receive what happens as it happens', async t => {
  const [alice, bob] = [await user('alice'), await user('bob')]
  await alice.rest.followAccount(bob.me.id)
  const probe = () => bob.rest.postStatus('do you #hear me?')
  const home = await listen(t, await alice.rest.userStreaming(), probe)
  const local = await listen(t, await alice.rest.localStreaming(), probe)
  const tagged = await listen(t, await alice.rest.tagStreaming('hear'), probe)
  const status = posted(await bob.rest.postStatus('a #hear morning'))
  const isIt = (event: string) => (message: Message) =>
    message.event === event && (message.payload as { id?: string }).id === status.id
  for (const inbox of [home, local, tagged]) await inbox.take('the post', isIt('update'))
  await bob.rest.editStatus(status.id, { status: 'a #hear evening' })
  await home.take('the edit', isIt('status_update'))
  const own = posted(await alice.rest.postStatus('mine'))
  await bob.rest.favouriteStatus(own.id)
  const { payload } = await home.take('the favourite', ({ event }) => event === 'notification')
  assert.equal((payload as Entity.Notification).type, 'favourite')
  await bob.rest.deleteStatus(status.id)
  await home.take('the deletion', message => message.event === 'delete' && message.payload === status.id)
})
