import assert from 'node:assert/strict'
import { test } from 'tap'
import { schedule } from '../../statuses/scheduled/scheduled_fixtures.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { entity, errorOf, FILM, isThere, movingGif, picture, recording, TONE, until, upload } from './media_fixtures.ts'
import { withoutFfmpeg, type Entity } from './media_fixtures.ts'

const still = async (): Promise<Buffer> => picture(60, 40, '#00aa00').png().toBuffer()

const metaOf = (made: unknown): Record<string, unknown> => (made as Entity)['meta'] as Record<string, unknown>

const shownBy = async (owner: Person, scheduled: string): Promise<unknown> => {
  const { media_attachments: files } = entity(await owner.get(`/api/v1/scheduled_statuses/${scheduled}`))
  return (files as unknown[])[0]
}

test('a file of a scheduled status can be changed but not deleted until the status is cancelled', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id } = entity(await upload(alice, 'v2', await still(), { description: 'first' }))
  const path = `/api/v1/media/${id}`
  const scheduled = await schedule(alice, { media_ids: [id] })
  assert.equal(entity(await alice.get(path))['description'], 'first')
  const changed = entity(await alice.put(path, { description: 'second', focus: '0.1,-0.2' }))
  assert.deepEqual([changed['description'], metaOf(changed)['focus']], ['second', { x: 0.1, y: -0.2 }])
  assert.deepEqual(await shownBy(alice, scheduled.id), changed)
  const used = await alice.delete(path)
  assert.deepEqual([used.status, errorOf(used)], [422, 'Media attachment is currently used by a status'])
  for (const body of [
    { status: 'x', media_ids: [id] },
    { status: 'x', media_ids: [id], scheduled_at: '2099-01-01' },
  ]) {
    const taken = await alice.post('/api/v1/statuses', body)
    assert.deepEqual([taken.status, errorOf(taken)], [422, `Media ${id} not found or already attached to another post`])
  }
  assert.equal((await bob.get(path)).status, 404)
  // A reserved file stays longer than a day; a released one starts a new day.
  await sql(server, `update media_attachments set created_at = now() - interval '3 days' where id = $1`, [id])
  const loose = entity(await upload(alice, 'v2', await still()))
  await sql(server, `update media_attachments set created_at = now() - interval '3 days' where id = $1`, [loose.id])
  const expire = (): Promise<unknown> => sql(server, `select graphile_worker.add_job('media.expire', payload => '{}')`)
  await expire()
  const waitForRemoval = (url: unknown): Promise<boolean> =>
    until(
      () => isThere(url),
      there => !there,
      'the unattached file to be removed',
    )
  await waitForRemoval(loose['url'])
  assert.equal((await alice.get(path)).status, 200)
  assert.deepEqual((await alice.delete(`/api/v1/scheduled_statuses/${scheduled.id}`)).json, {})
  const [row] = await sql(
    server,
    `select scheduled_status_id, created_at > now() - interval '1 hour' as fresh from media_attachments where id = $1`,
    [id],
  )
  assert.deepEqual(row, { scheduled_status_id: null, fresh: true })
  assert.deepEqual((await alice.delete(path)).json, {})
  await waitForRemoval(changed['url'])
})

test('a preview can be uploaded and changed for each type of recording', { skip: withoutFfmpeg }, async t => {
  const { alice } = await people(t, 'alice')
  const film = await recording('mp4', ...FILM, ...TONE)
  const cases = [
    ['video', film, 'video/mp4'],
    ['gifv', await movingGif(30, 20), 'image/gif'],
    ['audio', await recording('mp3', ...TONE), 'audio/mpeg'],
  ] as const
  for (const [kind, bytes, type] of cases) {
    const made = entity(await upload(alice, 'v1', bytes, { type, thumbnail: await still() }))
    assert.equal(made['type'], kind)
    const { small, original, colors } = metaOf(made)
    assert.deepEqual(small, { width: 60, height: 40, size: '60x40', aspect: 1.5 }, kind)
    assert.notEqual((original as Record<string, unknown>)['size'], '60x40')
    assert.equal(colors !== undefined, kind === 'audio')
    assert.match(String(made['blurhash']), /^.{36}$/)
    const other = `data:image/png;base64,${(await picture(30, 30).png().toBuffer()).toString('base64')}`
    const changed = entity(await alice.patch(`/api/v1/media/${made.id}`, { thumbnail: other }))
    assert.deepEqual(metaOf(changed)['small'], { width: 30, height: 30, size: '30x30', aspect: 1 })
    assert.deepEqual(metaOf(changed)['original'], original)
  }
  const large = Buffer.concat([await still(), Buffer.alloc(16_777_216)])
  const refusals = [
    [film, 'Thumbnail content type is invalid, Thumbnail is invalid'],
    [large, 'Thumbnail file size must be less than 16 MB, Thumbnail must be less than 16 MB'],
  ] as const
  for (const [thumbnail, error] of refusals) {
    const refused = await upload(alice, 'v2', film, { type: 'video/mp4', thumbnail })
    assert.deepEqual([refused.status, errorOf(refused)], [422, `Validation failed: ${error}`])
  }
})
