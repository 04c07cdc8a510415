import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity as made, picture, upload } from '../media/attachments/media_fixtures.ts'
import { pollOf } from './polls/poll_fixtures.ts'
import { people } from '../support/people.ts'
import { entities, entity, errorOf } from './status_fixtures.ts'

test('a status with files, a poll and a reply is posted in every form of body', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const parent = await bob.postStatus('parent')
  const file = async (): Promise<string> => made(await upload(alice, 'v2', await picture(8, 8).png().toBuffer())).id
  const flat = async (): Promise<[string, string][]> => [
    ['status', 'all of it'],
    ['media_ids[]', await file()],
    ['media_ids[]', await file()],
    ['poll[options][]', 'a'],
    ['poll[options][]', 'b'],
    ['poll[expires_in]', '600'],
    ['poll[multiple]', 'true'],
    ['in_reply_to_id', parent.id],
    ['sensitive', '1'],
    ['visibility', 'unlisted'],
    ['allowed_mentions[]', bob.id],
  ]
  const multipart = new FormData()
  for (const [name, value] of await flat()) multipart.append(name, value)
  const json = {
    status: 'all of it',
    media_ids: [await file(), await file()],
    poll: { options: ['a', 'b'], expires_in: 600, multiple: true },
    in_reply_to_id: parent.id,
    sensitive: true,
    visibility: 'unlisted',
    allowed_mentions: [bob.id],
  }
  for (const body of [multipart, json, new URLSearchParams(await flat())]) {
    const response = await alice.post('/api/v1/statuses', body)
    assert.equal(response.status, 200, response.text)
    const status = entity(response.json)
    assert.deepEqual(
      [status['content'], status['sensitive'], status['visibility'], status['in_reply_to_id'], status['card']],
      ['<p>all of it</p>', true, 'unlisted', parent.id, null],
    )
    assert.equal(entities(status['media_attachments']).length, 2)
    assert.deepEqual([entities(pollOf(status)['options']).length, pollOf(status)['multiple']], [2, true])
  }
})

test('the separate endpoint for a status’s card returns nothing', async t => {
  const { alice } = await people(t, 'alice')
  const { id } = await alice.postStatus('hello')
  const card = await alice.get(`/api/v1/statuses/${id}/card`)
  assert.deepEqual([card.status, errorOf(card)], [404, 'Record not found'])
})
