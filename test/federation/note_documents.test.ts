import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity as stored, picture, upload } from '../media/attachments/media_fixtures.ts'
import { entities, entity, type Entity } from '../statuses/status_fixtures.ts'
import type { Client } from '../support/client.ts'
import { people, sql } from '../support/people.ts'

/* The members of notes, as other servers read them, that depend on what a post contains. */

const noteOf = async (client: Client, { uri }: Entity): Promise<Entity> => {
  const response = await client.get(new URL(String(uri)).pathname, {}, { accept: 'application/activity+json' })
  assert.equal(response.status, 200, response.text)
  return entity(response.json)
}

test('files are documents with their description, size and focal point', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const bytes = await picture(40, 20).png().toBuffer()
  const file = stored(await upload(alice, 'v2', bytes, { description: 'red', focus: '0.5,-0.25' }))
  const plain = stored(await upload(alice, 'v2', bytes))
  const note = await noteOf(anonymous, await alice.postStatus('look', { media_ids: [file.id, plain.id] }))
  const [first, second] = entities(note['attachment'])
  assert.ok(first && second)
  const { blurhash, ...members } = first
  assert.deepEqual(members, {
    type: 'Document',
    mediaType: 'image/png',
    url: file['url'],
    name: 'red',
    width: 40,
    height: 20,
    focalPoint: [0.5, -0.25],
  })
  assert.match(String(blurhash), /^.{6,}$/)
  assert.deepEqual([second['name'], 'focalPoint' in second], [null, false])
})

test('what a post refers to is named as long as it is there', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const [parent, quoted] = [await bob.postStatus('parent'), await bob.postStatus('quote me')]
  const response = await alice.postStatus('answer', { in_reply_to_id: parent.id, quoted_status_id: quoted.id })
  const before = await noteOf(anonymous, response)
  assert.deepEqual([before['inReplyTo'], before['inReplyToAtomUri']], [parent['uri'], parent['uri']])
  assert.deepEqual([before['quote'], before['quoteUri']], [quoted['uri'], quoted['uri']])
  assert.match(String(before['quoteAuthorization']), new RegExp(`/ap/users/${bob.id}/quote_authorizations/\\d+$`))
  for (const { id } of [parent, quoted]) await bob.delete(`/api/v1/statuses/${id}`)
  const after = await noteOf(anonymous, response)
  assert.deepEqual([after['inReplyTo'], after['inReplyToAtomUri']], [null, null])
  assert.deepEqual(after['quote'], { type: 'Tombstone' })
  for (const name of ['_misskey_quote', 'quoteUri', 'quoteAuthorization']) assert.equal(name in after, false, name)
})

test('a post of an account that must hide its media is sensitive; its language has a map', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const status = await alice.postStatus('hello', { language: 'en' })
  const note = await noteOf(anonymous, status)
  assert.deepEqual([note['sensitive'], note['summary'], note['contentMap']], [false, null, { en: note['content'] }])
  await sql(server, 'update accounts set sensitized_at = now() where id = $1', [alice.id])
  assert.equal((await noteOf(anonymous, status))['sensitive'], true)
})

test('a poll is a Question that says when it ends, and that it has ended', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const poll = { options: ['tea', 'milk'], expires_in: 3600, multiple: true }
  const status = await alice.postStatus('drinks?', { poll })
  await bob.post(`/api/v1/polls/${entity(status['poll']).id}/votes`, { choices: [0, 1] })
  const open = await noteOf(anonymous, status)
  const option = (name: string, totalItems: number): object => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  })
  assert.deepEqual(open['anyOf'], [option('tea', 1), option('milk', 1)])
  assert.deepEqual(
    [open['type'], open['votersCount'], 'closed' in open, 'oneOf' in open],
    ['Question', 1, false, false],
  )
  assert.match(String(open['endTime']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  await sql(server, 'update polls set expires_at = now() where status_id = $1', [status.id])
  assert.match(String((await noteOf(anonymous, status))['closed']), /:\d\dZ$/)
})
