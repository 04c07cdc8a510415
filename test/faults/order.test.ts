import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { test, type Test } from 'tap'
import { startEmbedded, type Embedded } from '../../src/platform/database/embedded/index.ts'
import { chooseTemporaryFolder, connectionUrl } from '../support/cluster.ts'
import { execute } from '../support/database.ts'
import { INSERT_DELETION_EVENTS } from '../support/deletions.ts'
import { person, type Person } from '../support/people.ts'
import { startProgram } from '../support/program.ts'
import { startReader, type ReceivedMessage, type ResumingReader, type Transport } from '../support/resuming_reader.ts'
import type { ServerAddress } from '../support/server.ts'

/*
 * Order and completeness under combined faults: overlapping writers and rollbacks, cut clients, cut
 * sessions, a restart of PostgreSQL.
 */

const WRITERS = 8
const TRANSACTIONS = 120
const POSTS = 150
const TAG = 'order'

/** A separate cluster that the test can restart at the same address. */
async function startOwnCluster(t: Test): Promise<{ url: string; restart(): Promise<void> }> {
  const dataDir = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-order-'))
  const start = (): Promise<Embedded> =>
    startEmbedded({ dataDir, log: () => {}, extraSettings: { fsync: 'off', full_page_writes: 'off' } })
  let running = await start()
  t.after(async () => {
    await running.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const url = connectionUrl(running.connection)
  return {
    url,
    async restart() {
      await running.close()
      running = await start()
      assert.equal(connectionUrl(running.connection), url)
    },
  }
}

/**
 * Runs work on a separate connection, which is replaced after a loss; the outcome of lost work is
 * unknown.
 */
async function withSession(url: string, rounds: number, work: (client: pg.Client, round: number) => Promise<void>) {
  let client: pg.Client | undefined
  for (let round = 0; round < rounds; round += 1) {
    try {
      if (!client) {
        const opened = new pg.Client({ connectionString: url })
        opened.on('error', () => {}) // the running statement fails too
        await opened.connect()
        client = opened
      }
      await work(client, round)
    } catch {
      await client?.end().catch(() => undefined)
      client = undefined
    }
  }
  await client?.end()
}

/** Transactions of different lengths, each with some events; one in five is rolled back. */
const writeTransactions = (url: string, author: Person, writer: number, progress: () => void): Promise<void> =>
  withSession(url, TRANSACTIONS, async (client, round) => {
    await client.query('begin')
    for (let left = 1 + Math.floor(Math.random() * 3); left > 0; left -= 1) {
      const many = 1 + Math.floor(Math.random() * 8)
      await client.query(INSERT_DELETION_EVENTS, [
        author.id,
        (writer + 1) * 1_000_000 + round * 1000 + left * 100,
        many,
      ])
      if (Math.random() < 0.2) await client.query('select pg_sleep($1)', [Math.random() * (writer === 0 ? 0.4 : 0.05)])
    }
    await client.query(Math.random() < 0.8 ? 'commit' : 'rollback')
    progress()
  })

/**
 * Posts with a mention of the reader and the tag, through the API; a failed post is followed by the
 * next.
 */
async function writePosts(author: Person, reader: Person, progress: () => void): Promise<void> {
  for (let count = 0; count < POSTS; count += 1) {
    const { status, text } = await author.post('/api/v1/statuses', { status: `@${reader.username} #${TAG} ${count}` })
    assert.ok(status === 200 || status === 503, text)
    progress()
  }
}

/**
 * The kinds of events of each stream: all of them, because the reader follows the author and nobody
 * else.
 */
const BROUGHT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  public: { 'status.created': 'update', 'status.deleted': 'delete' },
  user: { 'status.created': 'update', 'notification.created': 'notification' },
  'user:notification': { 'notification.created': 'notification' },
  hashtag: { 'status.created': 'update' },
  list: { 'status.created': 'update' },
}

const lineOf = ({ id, event }: Pick<ReceivedMessage, 'id' | 'event'>): string => `${event} ${id}`

/** The log after a position, in order. */
async function readLog(url: string, from: string): Promise<{ id: string; kind: string }[]> {
  const [txid, id] = from.split('-')
  const rows = await execute(
    url,
    `select e.txid || '-' || e.id as id, e.kind from events e where (e.txid, e.id) > ('${txid}', ${id}) order by e.txid, e.id`,
  )
  return rows.map(row => ({ id: String(row['id']), kind: String(row['kind']) }))
}

/**
 * Readers of each stream, by both transports, two in each of the two server processes: `steady`
 * ones and others that are cut.
 */
async function startReaders(t: Test, server: ServerAddress, reader: Person, list: string, from: string) {
  const steady: ResumingReader[] = []
  const restless: ResumingReader[] = []
  for (const stream of Object.keys(BROUGHT)) {
    for (const transport of ['websocket', 'sse'] satisfies Transport[]) {
      const wanted = { stream, transport, from, parameters: { list, tag: TAG } }
      for (const group of [steady, restless]) {
        const one = await startReader(t, server, reader, wanted)
        group.push(one, await startReader(t, server, reader, { ...wanted, notFrom: one.worker }))
      }
    }
  }
  return { steady, restless, all: [...steady, ...restless] }
}

async function makeList(owner: Person, member: Person): Promise<string> {
  const made = await owner.post('/api/v1/lists', { title: 'close' })
  const { id } = made.json as { id: string }
  assert.equal((await owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: [member.id] })).status, 200)
  return id
}

/** Ends some database sessions of the server; returns their number, 0 while PostgreSQL restarts. */
async function cutSessions(url: string): Promise<number> {
  let cut = 0
  await withSession(url, 1, async client => {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(a.pid) from pg_stat_activity a
       where a.datname = current_database() and a.application_name like 'millrace%' and random() < 0.5`,
    )
    cut = rowCount ?? 0
  })
  return cut
}

test('each stream delivers each event once, in commit order, in every process, despite cuts and restarts', async t => {
  const cluster = await startOwnCluster(t)
  const folder = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-order-files-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: cluster.url, DATA_DIR: folder, WORKERS: '2', DATABASE_POOL: '4' }
  const program = await startProgram(t, env)
  await program.logged('listening')
  const server = { url: program.url, databaseUrl: cluster.url }
  const [author, reader, stranger] = await Promise.all(
    ['author', 'reader', 'stranger'].map(name => person(server, name)),
  )
  assert.ok(author && reader && stranger)
  await reader.follow(author)
  const list = await makeList(reader, author)
  const from = (await readLog(cluster.url, '0-0')).at(-1)?.id ?? ''
  const readers = await startReaders(t, server, reader, list, from)

  const total = WRITERS * TRANSACTIONS + POSTS
  let done = 0
  const cutting: Promise<number>[] = []
  let restarted: Promise<void> | undefined
  const progress = (): void => {
    done += 1
    if (done % 10 === 0) readers.restless[Math.floor(Math.random() * readers.restless.length)]?.cut()
    if (done % 100 === 50) cutting.push(cutSessions(cluster.url))
    if (done === Math.floor(total / 2)) restarted = cluster.restart()
  }
  const writing = Array.from({ length: WRITERS }, (_, writer) =>
    writeTransactions(cluster.url, stranger, writer, progress),
  )
  await Promise.all([...writing, writePosts(author, reader, progress)])
  await restarted
  const cuts = (await Promise.all(cutting)).reduce((sum, one) => sum + one, 0)
  const last = await author.postStatus(`@${reader.username} #${TAG} the last`)

  const brought = await Promise.all(
    readers.all.map(({ inbox }) => inbox.takeUntil('the last', ({ payload }) => payload.includes(`"id":"${last.id}"`))),
  )
  const log = await readLog(cluster.url, from)
  for (const [at, { wanted, worker }] of readers.all.entries()) {
    const words = BROUGHT[wanted.stream] ?? {}
    const expected = log.flatMap(({ id, kind }) =>
      words[kind] === undefined ? [] : [lineOf({ id, event: words[kind] })],
    )
    const got = brought[at]?.map(lineOf) ?? []
    const where = `${wanted.stream} by ${wanted.transport} from ${worker}`
    const wrong = got.findIndex((line, index) => line !== expected[index])
    assert.equal(wrong, -1, `${where}: message ${wrong} is ${got[wrong]} and not ${expected[wrong]}`)
    // A notification and its status belong to one commit; the stream may have ended with the first
    // of them.
    assert.ok(expected.length - got.length < 2, `${where}: ${got.length} of ${expected.length} came`)
  }
  const connections = readers.all.reduce((sum, one) => sum + one.connections, 0)
  t.comment(`${log.length} events, ${connections} connections of ${readers.all.length} readers, ${cuts} sessions cut`)
  assert.ok(log.length > 3000 && connections > readers.all.length && cuts > 10 && restarted)
  assert.deepEqual(
    program.log.filter(({ msg }) => msg === 'a stream message could not be rendered or sent'),
    [],
  )
})
