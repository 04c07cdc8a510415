import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import { createWebhook, type Webhook } from '../../src/administration/webhooks/index.ts'
import { staffMember } from '../administration/staff_fixtures.ts'
import { startReceiver, type Receiver } from '../administration/webhooks/receiver.ts'
import { openDatabase } from '../../src/platform/database/index.ts'
import { ask, owner, PAGE, waitForLink } from '../auth/data_export/export_fixtures.ts'
import { entity, picture, upload } from '../media/attachments/media_fixtures.ts'
import { startPushService, type Device, type PushAnswer, type PushService } from '../notifications/push/push_service.ts'
import { becomes } from '../platform/settings/pair.ts'
import { Client } from '../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../support/people.ts'
import { OPEN_REGISTRATIONS, sharedServer, shareServerWith, type ServerAddress } from '../support/server.ts'
import { listen } from '../web/public/live_reader.ts'
import { createCast, type Cast } from './effects.ts'

/*
 * The effects of moderators' actions where nobody asks: what is pushed, delivered or streamed; and
 * on signing up and on the person's own data. The reads are in effects.test.ts.
 */
shareServerWith(OPEN_REGISTRATIONS)

/** What others notice when the target does something. */
interface Seen {
  /** The status of its attempt to post. */
  readonly post: number
  /** Who of those whom it mentions is pushed. */
  readonly pushed: readonly string[]
  /** How the webhook of new posts shows it: its visibility, and whether its media are hidden. */
  readonly webhook: readonly (readonly [visibility: unknown, sensitive: unknown])[]
  /** Whether the live page shows it, and an earlier one to somebody who connects again. */
  readonly live: boolean
  readonly missed: boolean
  /** The status of an attempt to sign up with a variant of its address. */
  readonly signUp: number
}

const FINE: Seen = {
  post: 200,
  pushed: ['friend', 'stranger'],
  webhook: [['public', false]],
  live: true,
  missed: true,
  signUp: 200,
}

const SILENT = { post: 403, pushed: [], webhook: [], live: false } as const

const STATES = {
  disabled: { action: 'disable', reversal: 'enable', seen: { ...FINE, ...SILENT } },
  sensitized: { action: 'sensitive', reversal: 'unsensitive', seen: { ...FINE, webhook: [['public', true]] } },
  silenced: {
    action: 'silence',
    reversal: 'unsilence',
    seen: { ...FINE, pushed: ['friend'], webhook: [['unlisted', false]], live: false, missed: false },
  },
  suspended: { action: 'suspend', reversal: 'unsuspend', seen: { ...FINE, ...SILENT, missed: false, signUp: 422 } },
} as const satisfies Readonly<Record<string, { action: string; reversal: string; seen: Seen }>>

interface Watch {
  readonly cast: Cast
  readonly service: PushService
  readonly devices: Readonly<Record<'friend' | 'stranger', Device>>
  readonly receiver: Receiver
  readonly webhook: Webhook
  readonly app: Client
}

async function watch(t: Test, answers: PushAnswer[] = []): Promise<Watch> {
  const cast = await createCast(t)
  const { server, friend, stranger } = cast
  const service = await startPushService(t)
  const devices = { friend: service.device({ answers }), stranger: service.device() }
  for (const [who, { subscription }] of [
    [friend, devices.friend],
    [stranger, devices.stranger],
  ] as const)
    await succeed(who.post('/api/v1/push/subscription', { subscription, data: { alerts: { mention: true } } }))
  const receiver = await startReceiver(t)
  const connection = { connectionString: server.databaseUrl }
  const database = openDatabase({ connection, poolSize: 1, onError: () => {}, onSlowQuery: () => {} })
  t.after(() => database.close())
  const events = ['account.updated', 'status.created']
  const webhook = await createWebhook(database, null, { url: receiver.url, events })
  t.after(() => sql(server, 'delete from webhooks'))
  return { cast, service, devices, receiver, webhook, app: new Client(server, await makeToken(server, null)) }
}

async function succeed(response: ReturnType<Client['post']>): Promise<void> {
  const { status, text } = await response
  assert.equal(status, 200, text)
}

/** Waits until nothing is left to be done in the background. */
const settle = (server: ServerAddress): Promise<void> =>
  becomes(
    () => sql(server, 'select task_identifier from graphile_worker.jobs where run_at <= now()'),
    [],
    'no job is due',
  )

/** The ids that a reader of the live page receives up to one. */
async function shownUntil(reader: Awaited<ReturnType<typeof listen>>, last: string): Promise<string[]> {
  const ids: string[] = []
  while (ids.at(-1) !== last) {
    const message = await reader.next()
    assert.ok(message, 'the stream goes on')
    ids.push(message.id ?? '')
  }
  await reader.close()
  return ids
}

async function observe(t: Test, { cast, service, devices, receiver, app }: Watch): Promise<Seen> {
  const { server, target, friend, stranger, foe, status } = cast
  await settle(server)
  service.inbox.messages.length = 0
  receiver.inbox.messages.length = 0
  const reader = await listen(t, server, '/live')
  const mention = `@${friend.username} @${stranger.username}`
  const attempt = await target.post('/api/v1/statuses', { status: `${mention} hello` })
  const made = attempt.status === 200 ? (attempt.json as { id: string }).id : undefined
  const { id: last } = await foe.postStatus('the last')
  const again = await listen(t, server, `/live?after=${BigInt(status) - 1n}`)
  const [shown, missed] = [await shownUntil(reader, last), await shownUntil(again, last)]
  const name = randomBytes(5).toString('hex')
  const { status: signUp } = await app.post('/api/v1/accounts', {
    username: `n_${name}`,
    email: `${target.username}+${name}@example.com`,
    password: 'correct horse battery',
    agreement: true,
  })
  await settle(server)
  const pushedTo = (device: Device): boolean => service.inbox.messages.some(message => message.device === device)
  const delivered = receiver.inbox.messages.filter(({ body }) => body.object.id === made)
  return {
    post: attempt.status,
    pushed: (['friend', 'stranger'] as const).filter(who => pushedTo(devices[who])),
    webhook: delivered.map(({ body: { object } }) => [object['visibility'], object['sensitive']] as const),
    live: made !== undefined && shown.includes(made),
    missed: missed.includes(status),
    signUp,
  }
}

for (const [state, { action, reversal, seen }] of Object.entries(STATES)) {
  test(`what an account that is ${state} does reaches others as the table says, and as before afterwards`, async t => {
    const world = await watch(t)
    const { moderator, target, server } = world.cast
    assert.deepEqual(await observe(t, world), FINE)
    await succeed(moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: action }))
    const { body } = await world.receiver.inbox.take(
      'the account',
      found => found.body.event === 'account.updated' && found.body.object.id === target.id,
    )
    const marks = Object.keys(STATES).filter(mark => body.object[mark] === true)
    assert.deepEqual(marks, [state], 'the webhook shows the state')
    assert.deepEqual(await observe(t, world), seen)
    await succeed(moderator.post(`/api/v1/admin/accounts/${target.id}/${reversal}`))
    await settle(server)
    assert.deepEqual(await observe(t, world), FINE)
  })
}

test('what waits to be pushed or delivered when its author is suspended is not sent', async t => {
  const { cast, service, devices, receiver } = await watch(t, [503])
  const { server, target, friend, moderator } = cast
  receiver.answers(503)
  const { id } = await target.postStatus(`@${friend.username} hello`)
  await service.next(devices.friend)
  await receiver.inbox.take('the post', ({ body }) => body.object.id === id)
  const waiting = () =>
    sql(
      server,
      `select j.task_identifier as kind, array_agg(j.id)::text[] as ids from graphile_worker.jobs j
       where j.task_identifier in ('push.send', 'webhooks.deliver') and j.attempts = 1 and j.locked_at is null
       group by 1 order by 1`,
    )
  await becomes(
    async () => (await waiting()).map(({ kind }) => kind),
    ['push.send', 'webhooks.deliver'],
    'both wait for another attempt',
  )
  const ids = (await waiting()).flatMap(row => row['ids'] as string[])
  await succeed(moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: 'suspend' }))
  await sql(server, 'select graphile_worker.reschedule_jobs($1::bigint[], run_at => now())', [ids])
  await sql(server, `select pg_notify('jobs:insert', '{"count":2}')`)
  await becomes(
    () => sql(server, 'select from graphile_worker.jobs where id = any ($1::bigint[])', [ids]),
    [],
    'both have ended',
  )
  assert.deepEqual(service.inbox.messages, [])
  assert.deepEqual(
    receiver.inbox.messages.filter(({ body }) => body.event === 'status.created'),
    [],
  )
})

test('people export their data in every state, and never lose an entry about somebody else', async t => {
  const server = await sharedServer()
  const moderator = await person(server, 'moderator', { roleId: 3 })
  for (const { action } of Object.values(STATES)) {
    const { person: member, browser } = await owner(t, server, 'member')
    const { person: followed } = await owner(t, server, 'followed')
    await member.follow(followed)
    const act = (who: Person): Promise<void> =>
      succeed(moderator.post(`/api/v1/admin/accounts/${who.id}/action`, { type: action }))
    await act(followed)
    await act(member)
    assert.equal((await browser.get(PAGE)).status, 200, action)
    const { status, text } = await browser.get(`${PAGE}/follows.csv`)
    assert.deepEqual([status, text.includes(followed.username)], [200, true], action)
    assert.equal((await ask(browser)).status, 302, action)
    assert.match(await waitForLink(browser), /download$/, action)
  }
})

test('what changes about the posts of somebody who is suspended is streamed to nobody', async t => {
  const { target, friend, stranger, server } = await people(t, 'target', 'friend', 'stranger')
  const { browser, person: moderator } = await staffMember(t, server, 'moderator')
  await friend.follow(target)
  await friend.follow(stranger)
  const { id: media } = entity(await upload(target, 'v2', await picture(64, 48).png().toBuffer()))
  const { id } = await target.postStatus('a picture', { media_ids: [media] })
  // So many newer ones that the feed in memory begins above that post.
  for (let count = 0; count < 22; count += 1)
    await Promise.all(Array.from({ length: 10 }, async (_, at) => stranger.postStatus(`newer, ${count} ${at}`)))
  await succeed(moderator.post(`/api/v1/admin/accounts/${target.id}/action`, { type: 'suspend' }))
  assert.equal((await friend.get(`/api/v1/statuses/${id}`)).status, 404)
  await friend.get('/api/v1/timelines/home')
  const stream = await friend.stream('user')
  const live = await listen(t, server, '/live')
  const path = `/admin/statuses/${id}`
  const marked = await browser.submit(await browser.get(path), `${path}/action`, {
    change: 'mark_statuses_as_sensitive',
  })
  assert.equal(marked.status, 303)
  const shown = await browser.get(path)
  assert.match(shown.text, /recorded as a strike/)
  assert.match(shown.text, /a picture/, 'the staff still sees the post')
  assert.match((await browser.get(`/admin/accounts/${target.id}/statuses`)).text, /a picture/)
  const next = await stranger.postStatus('next')
  const streamed = await stream.upTo('update')
  assert.deepEqual(
    streamed.map(({ event }) => event),
    ['update'],
  )
  assert.equal((await live.next())?.id, next.id)
})
