import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { people, sql, type Person } from '../support/people.ts'
import type { ServerAddress } from '../support/server.ts'
import { postOf } from './status_fixtures.ts'

/**
 * What a statement returns with `returnsAllEvents` is delivered without reading the log
 * (src/platform/events/reader.ts), so an event that it logs but does not return would be lost.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Logged {
  readonly txid: string
  readonly id: string
  readonly kind: string
}

/** Runs a statement by itself and compares what it returns with its rows in the log. */
async function kindsOf(server: ServerAddress, name: string, parameters: unknown[]): Promise<string[]> {
  const text = readFileSync(path.join(ROOT, `sql/queries/${name}.sql`), 'utf8')
  const rows = await sql(server, text, parameters)
  // A repeated favourite returns the event of the first.
  const byIds = new Map(rows.flatMap(row => (row['events'] as Logged[] | null) ?? []).map(event => [event.id, event]))
  const returned = [...byIds.values()]
  const [first] = returned
  assert.ok(first, `${name} returned no event`)
  const logged = await sql(server, 'select event_json(e) as event from events e where e.txid::text = $1', [first.txid])
  const byId = (a: Logged, b: Logged): number => Number(a.id) - Number(b.id)
  const inLog = logged.map(row => row['event'] as Logged).sort(byId)
  assert.deepEqual(returned.toSorted(byId), inLog)
  return inLog.map(({ kind }) => kind)
}

interface Facts {
  readonly visibility?: string
  readonly parent?: { id: string; account: string; conversation: string }
  readonly mentioned?: string[]
  readonly has_link?: boolean
}

const posted = (
  author: Person,
  { visibility = 'public', parent, mentioned = [], has_link = false }: Facts,
): unknown[] => [
  author.id,
  'text',
  '<p>text</p>',
  '',
  visibility,
  false,
  'en',
  parent?.id ?? null,
  parent?.account ?? null,
  parent?.conversation ?? null,
  null,
  'public',
  mentioned,
  [],
  [],
  [],
  null,
  null,
  has_link,
  [],
]

test('statements that are said to return all their events do', async t => {
  const { server, alice, bob, carol, dave } = await people(t, 'alice', 'bob', 'carol', 'dave')
  await bob.post(`/api/v1/accounts/${alice.id}/follow`, { notify: true })
  await dave.post(`/api/v1/accounts/${alice.id}/follow`)
  const { id } = await bob.postStatus('to be answered')
  const [row] = await sql(server, 'select conversation_id::text as id from statuses where id = $1', [id])
  const parent = { id, account: bob.id, conversation: String(row?.['id']) }
  const others = [bob.id, carol.id]
  const post = (facts: Facts): Promise<string[]> => kindsOf(server, 'statuses/post', posted(alice, facts))

  assert.deepEqual(await post({ visibility: 'private', has_link: true }), ['status.created', 'notification.created'])
  assert.deepEqual(await post({ parent, mentioned: others }), [
    'status.created',
    'status.counted',
    'notification.created',
    'notification.created',
  ])
  // The mention of carol is filtered, and bob is notified twice.
  assert.deepEqual(await post({ visibility: 'direct', mentioned: others }), [
    'status.created',
    'notification.created',
    'notification.created',
    'notification.created',
    'conversation.changed',
    'conversation.changed',
  ])

  const together = [bob, alice, carol, alice, bob].map(author => postOf(author, 'text'))
  together.push(postOf(dave, 'to two', { mentioned: [alice.id, carol.id] }))
  assert.deepEqual((await kindsOf(server, 'statuses/post_all', [JSON.stringify(together)])).sort(), [
    ...Array.from({ length: 4 }, () => 'notification.created'),
    ...together.map(() => 'status.created'),
  ])

  const liked = [[alice.id, carol.id, alice.id, bob.id], Array.from({ length: 4 }, () => id), ['', '', '', '']]
  assert.deepEqual((await kindsOf(server, 'statuses/favourite', liked)).sort(), [
    'notification.created',
    'notification.created',
    'status.counted',
    'status.counted',
    'status.counted',
  ])
  const disliked = [[alice.id, carol.id, alice.id, dave.id], Array.from({ length: 4 }, () => id)]
  assert.deepEqual((await kindsOf(server, 'statuses/unfavourite', disliked)).sort(), [
    'notifications.changed',
    'notifications.changed',
    'status.counted',
    'status.counted',
  ])
})

test('each of these statements is compared above', async () => {
  const compared = ['statuses/favourite', 'statuses/post', 'statuses/post_all', 'statuses/unfavourite']
  const declared = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.startsWith('platform/database/'))
    .flatMap(file =>
      readFileSync(path.join(ROOT, 'src', file), 'utf8')
        .split(/\bquery\(\s*'/)
        .slice(1),
    )
    .filter(call => call.includes('returnsAllEvents: true'))
    .map(call => call.slice(0, call.indexOf("'")))
  assert.deepEqual(declared.sort(), compared)
})
