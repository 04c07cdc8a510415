import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import type { TestSocket } from '../../support/socket.ts'

const READERS = 80
/**
 * Matching takes more time than this number of slices, also on a fast machine; without slices there
 * are at most two.
 */
const MIN_SLICES = 4
const oneProcess = 'the slices are those of one process'

type Status = { id: string; filtered: { keyword_matches: string[] | null }[] }

const words = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}x`)

/** As long as a status of another server may be, with many beginnings of keywords. */
const LONG = `<p>${words('word', 8000).join(' ').slice(0, 39_990)} end</p>`

/** One reader has as many filters and keywords as an account may have, the others have one each. */
async function addFilters(server: TestServer, readers: readonly Person[]): Promise<void> {
  await sql(
    server,
    `with made as (
       insert into filters (account_id, title, contexts)
       select id, 'f', '{home,public}' from unnest($1::bigint[]) with ordinality reader (id, place)
       cross join generate_series(1, case when place = 1 then 200 else 1 end)
       returning id, account_id
     )
     insert into filter_keywords (filter_id, keyword)
     select made.id, 'word' || n || made.id from made
     cross join generate_series(1, case when made.account_id = $1[1] then 10 else 20 end) n`,
    [readers.map(({ id }) => id)],
  )
  await sql(
    server,
    `insert into filter_keywords (filter_id, keyword) select max(id), 'end' from filters where account_id = $1`,
    [readers[1]?.id],
  )
}

/** A status that is too long for the API, with the event of one that the author posted. */
async function sayLong(server: TestServer, author: Person): Promise<string> {
  const { id: model } = await author.postStatus('a model')
  const [made] = await sql(
    server,
    `with made as (
       insert into statuses (account_id, content, visibility) values ($1, $2, 'public') returning id
     ), counted as (
       insert into status_stats (status_id) select id from made
     ), logged as (
       insert into events (kind, status_id, actor_id, data)
       select e.kind, made.id, e.actor_id, e.data from events e, made where e.status_id = $3 and e.kind = 'status.created'
     ) select id::text from made`,
    [author.id, LONG, model],
  )
  return String(made?.['id'])
}

async function slicesOf(server: TestServer): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^millrace_computation_slices (\d+)$/m.exec(text)?.[1])
}

const idIn = ({ payload }: { payload: unknown }): string => (payload as Status).id

for (const stream of ['public', 'user'] as const) {
  test(`the filters of many readers of a ${stream} stream are matched in slices, and nothing overtakes`, async t => {
    const server = await startServer(t, { oneProcess })
    const author = await person(server, 'author')
    const readers: Person[] = []
    for (let index = 0; index < READERS; index += 1) readers.push(await person(server, `reader${index}`))
    t.after(() => Promise.all([author, ...readers].map(one => one.close())))
    await addFilters(server, readers)
    if (stream === 'user') for (const reader of readers) await reader.follow(author)
    const sockets: TestSocket[] = []
    for (const reader of readers) sockets.push(await reader.stream(stream))
    // The filters are compiled before the slices are counted.
    const { id: first } = await author.postStatus('first')
    for (const socket of sockets) await socket.next('update', message => idIn(message) === first)
    const before = await slicesOf(server)
    const long = await sayLong(server, author)
    const { id: last } = await author.postStatus('last')
    for (const [index, socket] of sockets.entries()) {
      const messages = await socket.upTo('update', message => idIn(message) === last)
      const updates = messages.filter(({ event }) => event === 'update')
      assert.deepEqual(updates.slice(-2).map(idIn), [long, last])
      const { filtered } = updates.map(({ payload }) => payload as Status).find(({ id }) => id === long) ?? {
        filtered: [],
      }
      assert.deepEqual(
        filtered.map(({ keyword_matches }) => keyword_matches),
        index === 1 ? [['end']] : [],
      )
    }
    const slices = (await slicesOf(server)) - before
    assert.ok(slices >= MIN_SLICES, `${slices} slices`)
  })
}

test('a page of long texts is filtered in slices', async t => {
  const server = await startServer(t, { oneProcess })
  const [author, reader] = [await person(server, 'author'), await person(server, 'reader')]
  t.after(() => Promise.all([author, reader].map(one => one.close())))
  await addFilters(server, [reader, author])
  for (let index = 0; index < 20; index += 1) await sayLong(server, author)
  const path = `/api/v1/accounts/${author.id}/statuses`
  const before = await slicesOf(server)
  const page = (await reader.get(path, { limit: '40' })).json as Status[]
  assert.equal(page.length, 40)
  assert.ok(page.every(({ filtered }) => filtered.length === 0))
  const slices = (await slicesOf(server)) - before
  assert.ok(slices >= MIN_SLICES, `${slices} slices`)
})
