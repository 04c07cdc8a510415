import sharp from 'sharp'
import type { Test } from 'tap'
import { Client } from '../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { makeReading, type Reading } from './reading.ts'
import { makeBlocks, type Blocked } from './blocked.ts'
import { warn, type Warned } from './warned.ts'
import { makeTrends } from './trends.ts'

/** A small world, seen by alice, in which no list is empty. */
export interface World {
  readonly server: TestServer
  readonly alice: Person
  readonly bob: Person
  /** The owner of the server. */
  readonly owner: Person
  readonly anonymous: Client
  /** A client with an application's own token. */
  readonly application: Client
  /** Alice's public status. */
  readonly status: string
  /** Bob's status with all kinds of content. */
  readonly rich: string
  /** The poll of the rich status. */
  readonly poll: string
  /** Alice's scheduled status. */
  readonly scheduled: string
  readonly media: string
  readonly list: string
  readonly notification: string
  /** The key of the group of favourites of alice's status. */
  readonly group: string
  /** The request of an unknown person who mentioned alice directly. */
  readonly request: string
  readonly reading: Reading
  readonly warned: Warned
  readonly blocked: Blocked
  /** Bob's collection with alice in it. */
  readonly collection: string
}

async function must(client: Person, method: string, path: string, body?: unknown): Promise<{ id: string }> {
  const response = await client.request(method, path, { body })
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
  return response.json as { id: string }
}

const describe = (alice: Person): Promise<unknown> =>
  must(alice, 'PATCH', '/api/v1/accounts/update_credentials', {
    note: 'reads at night',
    fields_attributes: [{ name: 'place', value: 'Lisbon' }],
    source: { privacy: 'public' },
  })

async function befriend(alice: Person, bob: Person): Promise<void> {
  await alice.follow(bob)
  await bob.follow(alice)
  await must(alice, 'POST', `/api/v1/follow_requests/${bob.id}/authorize`)
  await must(alice, 'POST', `/api/v1/accounts/${bob.id}/endorse`)
  await must(alice, 'POST', `/api/v1/accounts/${bob.id}/note`, { comment: 'from the choir' })
}

async function makeStatuses(alice: Person, bob: Person): Promise<{ status: string; rich: string; poll: string }> {
  const { id: status } = await alice.postStatus('a #quiet morning', { language: 'en' })
  const { id: rich, poll: asked } = await bob.postStatus(
    `@${alice.username} have you seen https://example.com/tapirs? #Quiet`,
    {
      in_reply_to_id: status,
      quoted_status_id: status,
      spoiler_text: 'tapirs',
      sensitive: true,
      language: 'en',
      poll: { options: ['by day', 'by night'], expires_in: 600 },
    },
  )
  const poll = (asked as { id: string }).id
  await must(alice, 'POST', `/api/v1/polls/${poll}/votes`, { choices: [1] })
  await bob.postStatus(`@${alice.username} just for you`, { visibility: 'direct' })
  for (const act of ['favourite', 'reblog', 'bookmark']) await must(alice, 'POST', `/api/v1/statuses/${rich}/${act}`)
  for (const act of ['favourite', 'reblog']) await must(bob, 'POST', `/api/v1/statuses/${status}/${act}`)
  await must(alice, 'POST', `/api/v1/statuses/${status}/pin`)
  await must(alice, 'POST', '/api/v1/markers', { home: { last_read_id: status } })
  return { status, rich, poll }
}

/** Bob recommends alice. */
async function recommend(bob: Person, alice: Person): Promise<string> {
  await must(alice, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true })
  const body = {
    name: 'night readers',
    tag_name: 'quiet',
    sensitive: false,
    discoverable: true,
    account_ids: [alice.id],
  }
  const { status, text, json } = await bob.post('/api/v1/collections', body)
  if (status !== 200) throw new Error(`collection: ${status} ${text}`)
  return (json as { collection: { id: string } }).collection.id
}

/** Creates the world on the server of the test's file. */
export async function createWorld(t: Test): Promise<World> {
  const { server, bob, anonymous } = await people(t, 'bob')
  const alice = await person(server, 'alice', {
    account: { locked: true },
  })
  const owner = await person(server, 'owner', { roleId: 3 })
  t.after(() => Promise.all([alice.close(), owner.close()]))
  const [dave, erin, fay] = await Promise.all(['dave', 'erin', 'fay'].map(name => person(server, name)))
  if (!dave || !erin || !fay) throw new Error('three people were asked for')
  await describe(alice)
  await befriend(alice, bob)
  await fay.follow(bob)
  await alice.follow(fay)
  await dave.follow(alice)
  await must(alice, 'POST', `/api/v1/accounts/${erin.id}/block`)
  await must(alice, 'POST', `/api/v1/accounts/${fay.id}/mute`, { duration: 3600 })
  const { status, rich, poll } = await makeStatuses(alice, bob)
  const { id: list } = await must(alice, 'POST', '/api/v1/lists', { title: 'choir' })
  await must(alice, 'POST', `/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  await dave.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const [request] = await sql(server, 'select r.id::text from notification_requests r where r.account_id = $1', [
    alice.id,
  ])
  const [group] = await sql(
    server,
    `select g.group_key from notification_groups g where g.account_id = $1 and g.type = 'favourite'`,
    [alice.id],
  )
  const { id: scheduled } = await must(alice, 'POST', '/api/v1/statuses', {
    status: 'later',
    in_reply_to_id: rich,
    poll: { options: ['a', 'b'], expires_in: 600 },
    allowed_mentions: [bob.id],
    scheduled_at: new Date(Date.now() + 3_600_000),
  })
  await makeTrends(server, status)
  const picture = new FormData()
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1d6f8a' } })
    .png()
    .toBuffer()
  picture.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'water.png')
  const { id: media } = await must(alice, 'POST', '/api/v2/media', picture)
  const [notification] = await sql(
    server,
    `select n.id::text from notifications n where n.account_id = $1 and n.type = 'mention' order by n.id limit 1`,
    [alice.id],
  )
  return {
    server,
    alice,
    bob,
    owner,
    anonymous,
    application: new Client(server, await makeToken(server, null)),
    status,
    rich,
    poll,
    scheduled,
    media,
    list,
    reading: await makeReading(server, alice, dave, rich),
    warned: await warn(server, alice, bob, status),
    blocked: await makeBlocks(owner),
    collection: await recommend(bob, alice),
    notification: String(notification?.['id']),
    group: String(group?.['group_key']),
    request: String(request?.['id']),
  }
}
