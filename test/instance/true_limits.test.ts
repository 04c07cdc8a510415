import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, type Person } from '../support/people.ts'

type Limits = Record<'accounts' | 'statuses' | 'polls', Record<string, number>>

interface Case {
  readonly group: keyof Limits
  readonly limit: string
  /** Asks for that much; the status of the answer. */
  readonly ask: (who: Person, amount: number, limits: Limits) => Promise<number>
  /** What is too little, instead of too much. */
  readonly least?: true
  readonly refused?: number
}

const letters = (amount: number): string => 'x'.repeat(amount)
const names = (amount: number): string[] => Array.from({ length: amount }, (_, index) => `option ${index}`)

const post = async (who: Person, body: object): Promise<number> => (await who.post('/api/v1/statuses', body)).status
const poll = (who: Person, options: string[], expiresIn: number): Promise<number> =>
  post(who, { status: 'a poll', poll: { options, expires_in: expiresIn } })
const change = async (who: Person, body: object): Promise<number> =>
  (await who.patch('/api/v1/accounts/update_credentials', body)).status

/** Does something so often; the last answer's status. */
async function repeat(amount: number, act: (turn: number) => Promise<number>): Promise<number> {
  let status = 0
  for (let turn = 0; turn < amount; turn += 1) status = await act(turn)
  return status
}

const CASES: readonly Case[] = [
  { group: 'statuses', limit: 'max_characters', ask: (who, amount) => post(who, { status: letters(amount) }) },
  {
    group: 'statuses',
    limit: 'characters_reserved_per_url',
    // A URL counts as much as is told, however long it is, so that the rest may have what is left.
    ask: (who, amount, { statuses }) =>
      post(who, {
        status: `https://example.com/${letters(200)} ${letters(Number(statuses['max_characters']) - 1 - 2 * Number(statuses['characters_reserved_per_url']) + amount)}`,
      }),
  },
  { group: 'polls', limit: 'max_options', ask: (who, amount) => poll(who, names(amount), 3600) },
  { group: 'polls', limit: 'max_characters_per_option', ask: (who, amount) => poll(who, ['a', letters(amount)], 3600) },
  { group: 'polls', limit: 'min_expiration', least: true, ask: (who, amount) => poll(who, ['a', 'b'], amount) },
  { group: 'polls', limit: 'max_expiration', ask: (who, amount) => poll(who, ['a', 'b'], amount) },
  {
    group: 'accounts',
    limit: 'max_display_name_length',
    ask: (who, amount) => change(who, { display_name: letters(amount) }),
  },
  { group: 'accounts', limit: 'max_note_length', ask: (who, amount) => change(who, { note: letters(amount) }) },
  {
    group: 'accounts',
    limit: 'max_avatar_description_length',
    ask: (who, amount) => change(who, { avatar_description: letters(amount) }),
  },
  {
    group: 'accounts',
    limit: 'max_header_description_length',
    ask: (who, amount) => change(who, { header_description: letters(amount) }),
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
        const { id } = await who.say('to be pinned')
        return (await who.post(`/api/v1/statuses/${id}/pin`)).status
      }),
  },
]

test('the limits that are told are those that are enforced', async t => {
  for (const { group, limit, ask, least } of CASES) {
    const { alice, bob } = await people(t, 'alice', 'bob')
    const { configuration } = (await alice.get('/api/v2/instance')).json as { configuration: Limits }
    const told = Number(configuration[group][limit])
    assert.ok(told > 0, limit)
    assert.equal(await ask(alice, told, configuration), 200, `${limit} of ${told}`)
    assert.equal(await ask(bob, least ? told - 1 : told + 1, configuration), 422, `beyond ${limit} of ${told}`)
  }
})

test('what is longer than a field holds is cut there', async t => {
  const { alice } = await people(t, 'alice')
  const { configuration } = (await alice.get('/api/v2/instance')).json as { configuration: Limits }
  const { profile_field_name_limit: name = 0, profile_field_value_limit: value = 0 } = configuration.accounts
  const fields_attributes = [{ name: letters(name + 1), value: letters(value + 1) }]
  const { json } = await alice.patch('/api/v1/accounts/update_credentials', { fields_attributes })
  const [field] = (json as { source: { fields: { name: string; value: string }[] } }).source.fields
  assert.deepEqual([field?.name.length, field?.value.length], [name, value])
})

test('more files than are told are refused', async t => {
  const { alice } = await people(t, 'alice')
  const { configuration } = (await alice.get('/api/v2/instance')).json as { configuration: Limits }
  const told = Number(configuration.statuses['max_media_attachments'])
  const media_ids = Array.from({ length: told + 1 }, (_, index) => String(index + 1))
  const { json } = await alice.post('/api/v1/statuses', { status: 'x', media_ids })
  assert.deepEqual(json, { error: `Cannot attach more than ${told} files` })
})
