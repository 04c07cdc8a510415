import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql, type Person } from '../support/people.ts'
import { entities, entity } from './status_fixtures.ts'

type Stream = Awaited<ReturnType<Person['stream']>>

const POLICY = '/api/v2/notifications/policy'
const UNFILTERED = { for_private_mentions: 'accept' }

type Deed = (recipient: Person, author: Person, status: string) => Promise<unknown>

/** Whether a mentioned account hears of an edit, on each of the two streams. */
interface Case {
  readonly about: string
  readonly hears: readonly [user: boolean, notification: boolean]
  readonly policy?: Record<string, string>
  readonly follows?: boolean
  /** After the mention and before the edit. */
  readonly meanwhile?: Deed
}

const muteAuthor =
  (notifications: boolean): Deed =>
  (recipient, author) =>
    recipient.post(`/api/v1/accounts/${author.id}/mute`, { notifications })

const CASES: Case[] = [
  { about: 'an accepted mention', hears: [true, true], policy: UNFILTERED },
  {
    about: 'an accepted mention whose notification was cleared',
    hears: [true, true],
    policy: UNFILTERED,
    meanwhile: recipient => recipient.post('/api/v1/notifications/clear'),
  },
  { about: 'a filtered mention', hears: [false, false] },
  {
    about: 'a filtered mention whose request was accepted',
    hears: [true, true],
    async meanwhile(recipient) {
      const [request] = entities((await recipient.get('/api/v1/notifications/requests')).json)
      await recipient.post(`/api/v1/notifications/requests/${request?.id}/accept`)
    },
  },
  { about: 'a dropped mention', hears: [false, false], policy: { for_not_following: 'drop' } },
  {
    about: 'a muted conversation',
    hears: [false, false],
    policy: UNFILTERED,
    meanwhile: (recipient, _author, status) => recipient.post(`/api/v1/statuses/${status}/mute`),
  },
  { about: 'a muted author', hears: [false, false], policy: UNFILTERED, meanwhile: muteAuthor(true) },
  {
    about: 'a muted author whose notifications are kept',
    hears: [true, true],
    policy: UNFILTERED,
    meanwhile: muteAuthor(false),
  },
  {
    about: 'a muted author whose notifications are kept, and who is followed',
    hears: [true, true],
    follows: true,
    meanwhile: muteAuthor(false),
  },
  {
    about: 'a blocked author',
    hears: [false, false],
    policy: UNFILTERED,
    meanwhile: (recipient, author) => recipient.post(`/api/v1/accounts/${author.id}/block`),
  },
  {
    about: 'an author in the home feed whose notifications are dropped',
    hears: [true, false],
    policy: { for_not_followers: 'drop' },
    follows: true,
  },
]

/** The statuses of the updates that come before a notification of the type. */
async function editsBefore(stream: Stream, type: string): Promise<string[]> {
  const taken = await stream.upTo('notification', ({ payload }) => entity(payload)['type'] === type)
  return taken.filter(({ event }) => event === 'status.update').map(({ payload }) => entity(payload).id)
}

test('an edit reaches those whom the mention notifies, on both streams', async t => {
  const { alice, friend, server } = await people(t, 'alice', 'friend')
  const recipients = await Promise.all(
    CASES.map(async one => {
      const recipient = await person(server, 'recipient')
      t.after(() => recipient.close())
      if (one.policy) await recipient.patch(POLICY, one.policy)
      if (one.follows === true) await recipient.follow(alice)
      await recipient.follow(friend)
      return { ...one, recipient, own: await recipient.postStatus('own') }
    }),
  )
  // So that the policy of strangers does not drop what friends do.
  await sql(
    server,
    `insert into notification_permissions (account_id, from_account_id) select f.account_id, $1 from follows f where f.target_account_id = $1`,
    [friend.id],
  )
  const names = recipients.map(({ recipient }) => `@${recipient.username}`).join(' ')
  const status = await alice.postStatus(`${names} psst`, { visibility: 'direct' })
  for (const { recipient, meanwhile } of recipients) await meanwhile?.(recipient, alice, status.id)
  const streams = await Promise.all(
    recipients.map(async ({ recipient }) => [
      await recipient.stream('user'),
      await recipient.stream('user:notification'),
    ]),
  )
  const edited = await alice.put(`/api/v1/statuses/${status.id}`, { status: `${names} hush` })
  assert.equal(edited.status, 200, edited.text)
  for (const [at, { about, hears, own }] of recipients.entries()) {
    await friend.post(`/api/v1/statuses/${own.id}/favourite`)
    const heard = await Promise.all((streams[at] ?? []).map(stream => editsBefore(stream, 'favourite')))
    assert.deepEqual(
      heard,
      hears.map(does => (does ? [status.id] : [])),
      about,
    )
  }
})

test('an edited mention by staff reaches a person who mutes it and whose policy drops it', async t => {
  const { bob, friend, server } = await people(t, 'bob', 'friend')
  const staff = await person(server, 'staff', { roleId: 2 })
  t.after(() => staff.close())
  await bob.patch(POLICY, { for_not_following: 'drop' })
  await bob.follow(friend)
  const own = await bob.postStatus('own')
  const status = await staff.postStatus(`@${bob.username} first`)
  await bob.post(`/api/v1/accounts/${staff.id}/mute`)
  const streams = [await bob.stream('user'), await bob.stream('user:notification')]
  await staff.put(`/api/v1/statuses/${status.id}`, { status: `@${bob.username} second` })
  await friend.post(`/api/v1/statuses/${own.id}/favourite`)
  for (const stream of streams) assert.deepEqual(await editsBefore(stream, 'favourite'), [status.id])
})
