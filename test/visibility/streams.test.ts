import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import type { TestSocket } from '../support/socket.ts'
import { createCast, PEOPLE, postReply, VISIBILITIES, type Cast, type PersonName, type Visibility } from './cast.ts'
import { isExpected, maySee, type Place } from './rules.ts'

/** An open stream with all received text. */
interface Reading {
  readonly who: PersonName
  readonly stream: string
  readonly place: Place
  readonly socket: TestSocket
  readonly texts: string[]
}

const STREAMS: Readonly<Record<string, Place>> = {
  user: 'homeLive',
  public: 'everybodyLive',
  'public:local': 'everybodyLive',
  hashtag: 'everybodyLive',
  list: 'list',
  direct: 'conversation',
  'user:notification': 'notifiedLive',
}

async function openAll(cast: Cast, tag: string): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const who of PEOPLE) {
    for (const [stream, place] of Object.entries(STREAMS)) {
      const list = cast.lists.get(who)
      if (stream === 'list' && list === undefined) continue
      const parameters = { ...(stream === 'hashtag' && { tag }), ...(stream === 'list' && { list: list ?? '' }) }
      const socket = await cast[who].stream(stream, parameters)
      const texts: string[] = []
      socket.socket.on('message', data => texts.push(Buffer.isBuffer(data) ? data.toString() : ''))
      readings.push({ who, stream, place, socket, texts })
    }
  }
  return readings
}

const idOf = (payload: unknown): string => (payload as { id: string }).id

/**
 * Causes an event for each stream and waits for it: earlier events have arrived by then, or never
 * will.
 */
async function settle({ helper, ...cast }: Cast, readings: readonly Reading[], tag: string): Promise<void> {
  const byHelper = await helper.postStatus(`#${tag} done`)
  const marks = new Map<PersonName, { own: string; secret: string; mention: string }>()
  for (const who of PEOPLE) {
    const { id: own } = await cast[who].postStatus('done')
    const { id: secret } = await cast[who].postStatus('done', { visibility: 'direct' })
    const { id: mention } = await helper.postStatus(`@${cast[who].username} done`)
    marks.set(who, { own, secret, mention })
  }
  for (const { who, stream, socket } of readings) {
    const mark = marks.get(who)
    assert.ok(mark)
    if (stream === 'user') await socket.next('update', ({ payload }) => idOf(payload) === mark.own)
    else if (stream === 'direct') {
      await socket.next('conversation', ({ payload }) => {
        return idOf((payload as { last_status: unknown }).last_status) === mark.secret
      })
    } else if (stream === 'user:notification') {
      await socket.next('notification', ({ payload }) => idOf((payload as { status: unknown }).status) === mark.mention)
    } else await socket.next('update', ({ payload }) => idOf(payload) === byHelper.id)
  }
}

/** Whether the stream received anything about the status. */
const isAbout = (texts: readonly string[], status: string): boolean => texts.some(text => text.includes(status))

test('every stream sends a status only to viewers who may see it', async t => {
  const cast = await createCast(t)
  const tag = `tag${randomBytes(4).toString('hex')}`
  const { id: root } = await cast.author.postStatus('beginning')
  const readings = await openAll(cast, tag)
  const statuses: Record<Visibility, string> = { public: '', unlisted: '', private: '', direct: '' }
  for (const visibility of VISIBILITIES) statuses[visibility] = await postReply(cast, visibility, root, tag)
  await settle(cast, readings, tag)
  const faults: string[] = []
  for (const { who, stream, place, texts } of readings) {
    for (const visibility of VISIBILITIES) {
      const expected = isExpected(place, visibility, who, 'fine')
      if (isAbout(texts, statuses[visibility]) === expected) continue
      faults.push(`${visibility} ${expected ? 'does not come' : 'comes'} to ${who} on ${stream}`)
    }
    texts.length = 0
  }
  assert.deepEqual(faults, [], 'when it is posted')

  // Also when it is favourited, edited and deleted.
  for (const [visibility, status] of Object.entries(statuses)) {
    await cast.friend.post(`/api/v1/statuses/${status}/favourite`)
    const changed = `@${cast.friend.username} ${visibility} changed #${tag}`
    assert.equal((await cast.author.put(`/api/v1/statuses/${status}`, { status: changed })).status, 200)
    assert.equal((await cast.author.delete(`/api/v1/statuses/${status}`)).status, 200)
  }
  await settle(cast, readings, tag)
  const leaks: string[] = []
  for (const { who, stream, texts } of readings) {
    for (const visibility of VISIBILITIES) {
      // The id of a deleted public status is sent to all readers of public streams.
      const about = texts.filter(text => visibility !== 'public' || !text.includes('"event":"delete"'))
      if (!isAbout(about, statuses[visibility]) || maySee(visibility, who, 'fine')) continue
      leaks.push(`a change of what is ${visibility} comes to ${who} on ${stream}`)
    }
  }
  assert.deepEqual(leaks, [], 'when it is liked, edited and deleted')
})
