import assert from 'node:assert/strict'
import test from 'node:test'
import { people, type Person } from '../support/people.ts'
import type { TestSocket } from '../support/socket.ts'

/* Who hears of a status, on every stream. The reads are in test/statuses/visibility.test.ts. */

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const
const VIEWERS = ['author', 'follower', 'mentioned', 'stranger', 'blocked'] as const
const STREAMS = [
  'user',
  'user:notification',
  'public',
  'public:local',
  'hashtag',
  'hashtag:local',
  'list',
  'direct',
] as const

type Visibility = (typeof VISIBILITIES)[number]
type Viewer = (typeof VIEWERS)[number]
type Stream = (typeof STREAMS)[number]

/** api/delivery.md section 1 and api/streaming.md section 5, for an author who follows nobody and is not limited. */
function hears(viewer: Viewer, stream: Stream, visibility: Visibility): boolean {
  switch (stream) {
    case 'user':
      if (viewer === 'author') return true
      // The mentioned person hears of it by the notification that is on this stream too.
      return viewer === 'mentioned' || (viewer === 'follower' && visibility !== 'direct')
    case 'user:notification':
      return viewer === 'mentioned'
    case 'list':
      return viewer === 'follower' && visibility !== 'direct'
    case 'direct':
      return visibility === 'direct' && (viewer === 'author' || viewer === 'mentioned')
    case 'public':
    case 'public:local':
    case 'hashtag':
    case 'hashtag:local':
      return visibility === 'public' && viewer !== 'blocked'
  }
}

async function open(viewer: Person, stream: Stream, list: string, tag: string): Promise<TestSocket> {
  if (stream === 'list') return viewer.stream(stream, { list })
  return viewer.stream(stream, stream.startsWith('hashtag') ? { tag } : {})
}

async function makeList(owner: Person, member: Person): Promise<string> {
  const { id } = (await owner.post('/api/v1/lists', { title: 'table' })).json as { id: string }
  const added = await owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: [member.id] })
  return added.status === 200 ? id : ''
}

test('a status is streamed to those who may see it, and to nobody else', async t => {
  const { friend, ...all } = await people(t, ...VIEWERS, 'friend')
  const { author, follower, mentioned, blocked } = all
  const tag = `table${author.id}`
  await Promise.all(VIEWERS.map(name => all[name].follow(friend)))
  await follower.follow(author)
  await mentioned.follow(author)
  await blocked.follow(author)
  await mentioned.post(`/api/v1/accounts/${author.id}/unfollow`)
  // Somebody who does not follow the author gets private mentions as requests, unless they are let in.
  await mentioned.put('/api/v2/notifications/policy', { for_private_mentions: 'accept' })
  await author.post(`/api/v1/accounts/${blocked.id}/block`)
  const lists: Record<Viewer, string> = { author: '', follower: '', mentioned: '', stranger: '', blocked: '' }
  lists.follower = await makeList(follower, author)

  const sockets = new Map<string, TestSocket>()
  for (const viewer of VIEWERS) {
    for (const stream of STREAMS) {
      if (stream === 'list' && lists[viewer] === '') continue
      sockets.set(`${viewer} ${stream}`, await open(all[viewer], stream, lists[viewer], tag))
    }
  }
  const ids = new Map<Visibility, string>()
  for (const visibility of VISIBILITIES) {
    const said = await author.say(`@${mentioned.username} ${visibility} #${tag}`, { visibility })
    ids.set(visibility, said.id)
  }
  // A stream keeps the order of commits: whoever has heard the last has heard all before it.
  const last = await friend.say(`the last #${tag}`)
  await Promise.all(VIEWERS.map(name => friend.say(`@${all[name].username} the last`, { visibility: 'direct' })))
  await author.say(`the last in the list #${tag}`, { visibility: 'public' })

  for (const [name, socket] of sockets) {
    const stream = STREAMS.find(known => name.endsWith(` ${known}`)) ?? 'user'
    const before = [...socket.messages]
    const seen = await untilLast(socket, stream, last.id, before)
    const viewer = VIEWERS.find(known => name.startsWith(`${known} `)) ?? 'stranger'
    for (const [visibility, id] of ids) {
      const heard = seen.some(text => text.includes(`"${id}"`))
      assert.equal(heard, hears(viewer, stream, visibility), `${visibility} to ${name}`)
    }
  }
})

/** The texts of all messages up to the one that is known to be the last. */
async function untilLast(
  socket: TestSocket,
  stream: Stream,
  lastId: string,
  before: TestSocket['messages'],
): Promise<string[]> {
  const seen = new Set(before)
  const waited =
    stream === 'direct'
      ? socket.next('conversation', message => JSON.stringify(message.payload).includes('the last'))
      : stream === 'user:notification'
        ? socket.next('notification', message => JSON.stringify(message.payload).includes('the last'))
        : stream === 'list'
          ? socket.next('update', message => JSON.stringify(message.payload).includes('the last in the list'))
          : socket.next('update', message => JSON.stringify(message.payload).includes(`"${lastId}"`))
  // `next` takes what comes before away, so it is looked at while it comes.
  const collect = (): void => {
    for (const message of socket.messages) seen.add(message)
  }
  socket.socket.on('message', collect)
  seen.add(await waited)
  socket.socket.off('message', collect)
  return [...seen].map(message => JSON.stringify(message))
}
