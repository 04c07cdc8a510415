import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, type Person } from '../support/people.ts'

type Limits = Record<'accounts' | 'statuses' | 'polls', Record<string, number>>

interface Case {
  readonly group: keyof Limits
  readonly limit: string
  /** Requests this amount; returns the HTTP status. */
  readonly ask: (who: Person, amount: number, limits: Limits) => Promise<number>
  /** The limit is a minimum. */
  readonly minimum?: true
  readonly refused?: number
}

const text = (amount: number): string => 'x'.repeat(amount)
const names = (amount: number): string[] => Array.from({ length: amount }, (_, index) => `option ${index}`)

const post = async (who: Person, body: object): Promise<number> => (await who.post('/api/v1/statuses', body)).status
const poll = (who: Person, options: string[], expiresIn: number): Promise<number> =>
  post(who, { status: 'a poll', poll: { options, expires_in: expiresIn } })
const change = async (who: Person, body: object): Promise<number> =>
  (await who.patch('/api/v1/accounts/update_credentials', body)).status

/** Repeats an action; returns the last HTTP status. */
async function repeat(amount: number, act: (turn: number) => Promise<number>): Promise<number> {
  let status = 0
  for (let turn = 0; turn < amount; turn += 1) status = await act(turn)
  return status
}

const CASES: readonly Case[] = [
  { group: 'statuses', limit: 'max_characters', ask: (who, amount) => post(who, { status: text(amount) }) },
  {
    group: 'statuses',
    limit: 'characters_reserved_per_url',
    // Any URL counts as the declared number of characters; the other text fills the rest.
    ask: (who, amount, { statuses }) =>
      post(who, {
        status: `https://example.com/${text(200)} ${text(Number(statuses['max_characters']) - 1 - 2 * Number(statuses['characters_reserved_per_url']) + amount)}`,
      }),
  },
  { group: 'polls', limit: 'max_options', ask: (who, amount) => poll(who, names(amount), 3600) },
  { group: 'polls', limit: 'max_characters_per_option', ask: (who, amount) => poll(who, ['a', text(amount)], 3600) },
  { group: 'polls', limit: 'min_expiration', minimum: true, ask: (who, amount) => poll(who, ['a', 'b'], amount) },
  { group: 'polls', limit: 'max_expiration', ask: (who, amount) => poll(who, ['a', 'b'], amount) },
  {
    group: 'accounts',
    limit: 'max_display_name_length',
    ask: (who, amount) => change(who, { display_name: text(amount) }),
  },
  { group: 'accounts', limit: 'max_note_length', ask: (who, amount) => change(who, { note: text(amount) }) },
  {
    group: 'accounts',
    limit: 'max_avatar_description_length',
    ask: (who, amount) => change(who, { avatar_description: text(amount) }),
  },
  {
    group: 'accounts',
    limit: 'max_header_description_length',
    ask: (who, amount) => change(who, { header_description: text(amount) }),
  },
  {
    group: 'accounts',
    limit: 'max_profile_fields',
    ask: (who, amount) => change(who, { fields_attributes: names(amount).map(name => ({ name, value: 'x' })) }),
  },
  {
    group: 'accounts',
    limit: 'max_featured_tags',
    ask: (who, amount) =>
      repeat(amount, async turn => (await who.post('/api/v1/featured_tags', { name: `tag${amount}x${turn}` })).status),
  },
  {
    group: 'accounts',
    limit: 'max_pinned_statuses',
    ask: (who, amount) =>
      repeat(amount, async () => {
        const { id } = await who.postStatus('to be pinned')
        return (await who.post(`/api/v1/statuses/${id}/pin`)).status
      }),
  },
]

test('the declared limits are enforced', async t => {
  for (const { group, limit, ask, minimum } of CASES) {
    const { alice, bob } = await people(t, 'alice', 'bob')
    const { configuration } = (await alice.get('/api/v2/instance')).json as { configuration: Limits }
    const declared = Number(configuration[group][limit])
    assert.ok(declared > 0, limit)
    assert.equal(await ask(alice, declared, configuration), 200, `${limit} of ${declared}`)
    assert.equal(
      await ask(bob, minimum ? declared - 1 : declared + 1, configuration),
      422,
      `beyond ${limit} of ${declared}`,
    )
  }
})

test('profile fields are cut to their declared lengths', async t => {
  const { alice } = await people(t, 'alice')
  const { configuration } = (await alice.get('/api/v2/instance')).json as { configuration: Limits }
  const { profile_field_name_limit: name = 0, profile_field_value_limit: value = 0 } = configuration.accounts
  const fields_attributes = [{ name: text(name + 1), value: text(value + 1) }]
  const { json } = await alice.patch('/api/v1/accounts/update_credentials', { fields_attributes })
  const [field] = (json as { source: { fields: { name: string; value: string }[] } }).source.fields
  assert.deepEqual([field?.name.length, field?.value.length], [name, value])
})

test('a status with too many files is refused', async t => {
  const { alice } = await people(t, 'alice')
  const { configuration } = (await alice.get('/api/v2/instance')).json as { configuration: Limits }
  const declared = Number(configuration.statuses['max_media_attachments'])
  const media_ids = Array.from({ length: declared + 1 }, (_, index) => String(index + 1))
  const { json } = await alice.post('/api/v1/statuses', { status: 'x', media_ids })
  assert.deepEqual(json, { error: `Cannot attach more than ${declared} files` })
})
