import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql, type Person } from '../../support/people.ts'

const PROPERTIES = ['has:media', 'has:image', 'has:video', 'has:audio', 'has:poll', 'is:quote', 'has:embed', 'has:link']

/** The properties by which the owner finds a status. */
async function found(owner: Person, id: string): Promise<string[]> {
  const answers = await Promise.all(
    PROPERTIES.map(async property => {
      const { json } = await owner.get('/api/v2/search', { q: `${property} from:me`, type: 'statuses' })
      return (json as { statuses: { id: string }[] }).statuses.some(status => status.id === id) ? property : []
    }),
  )
  return answers.flat()
}

async function attachment(owner: Person, type: string): Promise<string> {
  const [made] = await sql(
    owner.server,
    `insert into media_attachments (account_id, type, file_key) values ($1, $2, 'x/original/x.bin') returning id::text`,
    [owner.id, type],
  )
  return String(made?.['id'])
}

test('a status is found by its properties, and no longer by removed ones', async t => {
  const { alice, server } = await people(t, 'alice')
  const text = 'something'
  const edit = async (id: string, more: object): Promise<void> => {
    const response = await alice.put(`/api/v1/statuses/${id}`, { status: text, ...more })
    assert.equal(response.status, 200, response.text)
  }
  const shown = {
    gifv: ['has:media', 'has:video'],
    image: ['has:media', 'has:image'],
    video: ['has:media', 'has:video'],
    audio: ['has:media', 'has:audio'],
  }
  for (const [type, properties] of Object.entries(shown)) {
    const { id } = await alice.postStatus(text, { media_ids: [await attachment(alice, type)] })
    assert.deepEqual(await found(alice, id), properties, type)
    await edit(id, { media_ids: [await attachment(alice, 'image')] })
    assert.deepEqual(await found(alice, id), ['has:media', 'has:image'], `${type}, then an image`)
    await edit(id, { media_ids: [], poll: { options: ['a', 'b'], expires_in: 3600 } })
    assert.deepEqual(await found(alice, id), ['has:poll'], `${type}, then a poll`)
    await edit(id, { poll: null })
  }
  const plain = await alice.postStatus('plain')
  const quote = await alice.postStatus(text, { quoted_status_id: plain.id })
  assert.deepEqual(await found(alice, quote.id), ['is:quote'])
  assert.deepEqual(await found(alice, plain.id), [])
  const [card] = await sql(
    server,
    `with card as (insert into preview_cards (url, type) values ('https://films.example/' || $1, 'link') returning id)
     insert into preview_cards_statuses (status_id, preview_card_id, url) select $1::bigint, card.id, 'https://films.example' from card
     returning preview_card_id::text as id`,
    [plain.id],
  )
  assert.deepEqual(await found(alice, plain.id), ['has:link'])
  await sql(server, `update preview_cards set type = 'video' where id = $1`, [card?.['id']])
  assert.deepEqual(await found(alice, plain.id), ['has:embed', 'has:link'])
  await sql(server, 'delete from preview_cards_statuses where status_id = $1', [plain.id])
  assert.deepEqual(await found(alice, plain.id), [])
})
