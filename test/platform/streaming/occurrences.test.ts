import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { people, person, sql } from '../../support/people.ts'
import type { StreamMessage } from '../../support/socket.ts'
import { call, FEEDS, OCCURRENCES, type World } from './occurrences.ts'

/** Names on a WebSocket, and paths of server-sent events. */
const STREAMS: Readonly<Record<string, string>> = {
  user: 'user',
  'user:notification': 'user/notification',
  public: 'public',
  'public:media': 'public?only_media=true',
  'public:local': 'public/local',
  'public:local:media': 'public/local?only_media=t',
  'public:remote': 'public/remote',
  'public:remote:media': 'public/remote?only_media=1',
  hashtag: 'hashtag?tag=TEA',
  'hashtag:local': 'hashtag/local?tag=tea',
  list: 'list?list=LIST',
  direct: 'direct',
}

const NAMES_STATUS = new Set(['update', 'status.update', 'delete'])

/** `update 17`, or the event alone. */
function lineOf(event: string, payload: unknown): string {
  if (!NAMES_STATUS.has(event)) return event
  return `${event} ${typeof payload === 'object' && payload !== null && 'id' in payload ? String(payload.id) : String(payload)}`
}

async function makeWorld(t: Test): Promise<World & { list: string }> {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const dora = await person(server, 'dora')
  await alice.follow(bob)
  await alice.follow(dora)
  await sql(server, 'update accounts set silenced_at = now() where id = $1', [dora.id])
  const { id } = await call(alice, 'POST', '/api/v1/lists', { title: 'close' })
  await call(alice, 'POST', `/api/v1/lists/${String(id)}/accounts`, { account_ids: [bob.id] })
  return { server, alice, bob, carol, dora, ids: new Map(), list: String(id) }
}

/**
 * Payloads are rendered for the reader on streams of one account, and anonymously on shared
 * streams.
 */
function assertViewpoint({ stream: [name = ''], event, payload }: StreamMessage): void {
  if (event !== 'update' && event !== 'status.update') return
  const seen = payload as Record<string, unknown>
  const isOwn = [...FEEDS, 'user:notification'].includes(name)
  for (const field of ['favourited', 'reblogged', 'muted', 'bookmarked']) assert.equal(field in seen, isOwn, name)
  assert.deepEqual(seen['filtered'], [], name)
}

test('each occurrence sends the documented events to each stream, by both transports', async t => {
  const world = await makeWorld(t)
  const socket = await world.alice.stream()
  for (const stream of Object.keys(STREAMS)) {
    socket.send({ type: 'subscribe', stream, tag: 'TEA', list: world.list })
  }
  socket.send({ type: 'subscribe', stream: 'nonsense' })
  await socket.nextError()
  const events = await Promise.all(
    Object.entries(STREAMS).map(async ([name, path]) => ({
      name,
      source: await world.alice.events(path.replace('LIST', world.list)),
    })),
  )
  const expected = new Map(Object.keys(STREAMS).map(name => [name, [] as string[]]))
  for (const { what, act, expected: streams } of OCCURRENCES) {
    const id = await act(world)
    for (const [name, words] of Object.entries(streams)) {
      for (const word of words.split(' ')) expected.get(name)?.push(`${lineOf(word, id)} (${what})`)
    }
  }
  const plain = (name: string): string[] => (expected.get(name) ?? []).map(line => line.replace(/ \(.*\)$/, ''))

  const all = await socket.upTo('conversation', ({ payload }) => JSON.stringify(payload).includes('the last'))
  for (const message of all) assertViewpoint(message)
  for (const { name, source } of events) {
    const bySocket = all.filter(({ stream: [first] }) => first === name)
    assert.deepEqual(
      bySocket.map(({ event, payload }) => lineOf(event, payload)),
      plain(name),
      `${name} by WebSocket`,
    )
    await source.until(
      () => source.events.length >= plain(name).length,
      `end of ${name}: ${expected.get(name)?.join(', ')}`,
    )
    const bySource = source.events.map(({ event, data }) =>
      lineOf(event, data.startsWith('{') ? (JSON.parse(data) as unknown) : data),
    )
    assert.deepEqual(bySource, plain(name), `${name} by server-sent events`)
    // Both transports send the same.
    assert.deepEqual(
      source.events.map(({ data }) => (data.startsWith('{') ? (JSON.parse(data) as unknown) : data)),
      bySocket.map(({ payload }) => payload ?? 'null'),
    )
  }
})
