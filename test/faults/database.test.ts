import assert from 'node:assert/strict'
import test from 'node:test'
import { people, person, sql, type Person } from '../support/people.ts'
import type { StreamMessage, TestSocket } from '../support/socket.ts'
import { startServer } from '../support/server.ts'

/* The connections of a server to its database are cut while it works. */

const POSTS = 120
const CUTS = 12

/** Ends every session of the server but the one that asks. */
const cut = (person: Person): Promise<unknown> =>
  sql(
    person.server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )

/** Posts until it is acknowledged; every answer on the way must be a 200 or a 503. */
async function sayThrough(author: Person, text: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await author.post('/api/v1/statuses', { status: text }, { 'idempotency-key': text })
    assert.ok([200, 503].includes(answer.status), `${answer.status} ${answer.text}`)
    if (answer.status === 200) return (answer.json as { id: string }).id
  }
  throw new Error(`"${text}" was never acknowledged`)
}

const idOf = (message: StreamMessage): string => (message.payload as { id: string }).id

/** The ids of the updates that have come, up to and with the given one. */
async function updatesUntil(socket: TestSocket, last: string): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const id = idOf(await socket.next('update'))
    ids.push(id)
    if (id === last) return ids
  }
}

test('every post that was acknowledged is streamed once and in order, however often the database is cut off', async t => {
  const server = await startServer(undefined)
  const author = await person(server, 'author')
  t.after(async () => {
    await author.close()
    await server.stop()
  })
  const socket = await author.stream('public')
  const acknowledged: string[] = []
  for (let count = 0; count < POSTS; count += 1) {
    const posting = sayThrough(author, `post ${count}`)
    if (count % (POSTS / CUTS) === 3) await cut(author)
    acknowledged.push(await posting)
  }
  const last = acknowledged.at(-1) ?? ''
  assert.deepEqual(await updatesUntil(socket, last), acknowledged)
})

test('a client that was cut off for fifty events resumes with exactly these fifty', async t => {
  const { author, reader } = await people(t, 'author', 'reader')
  await reader.follow(author)
  const first = await reader.stream('user', { event_ids: 'true' })
  await author.say('before')
  const { id: from } = await first.next('update')
  assert.ok(from)
  await first.close()
  const missed: string[] = []
  for (let count = 0; count < 50; count += 1) missed.push((await author.say(`missed ${count}`)).id)
  const second = await reader.stream('user', { last_event_id: from })
  const after = await author.say('after')
  assert.deepEqual(await updatesUntil(second, after.id), [...missed, after.id])
})
