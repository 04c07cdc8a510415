import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, people, sql, type Person } from '../../support/people.ts'
import { entity, errorOf, fetchFile, isThere, picture, until, upload, type Entity } from './media_fixtures.ts'

const add = async (owner: Person, version: 'v1' | 'v2' = 'v2'): Promise<Entity> =>
  entity(
    await upload(owner, version, await picture(40, 30).png().toBuffer(), { description: 'first', focus: '0.5,0.5' }),
  )

const metaOf = (made: Entity): Record<string, unknown> => made['meta'] as Record<string, unknown>

test('description and focus are changed; omitted ones keep their values, empty ones are removed', async t => {
  const { alice } = await people(t, 'alice')
  const { id } = await add(alice)
  const shown = entity(await alice.get(`/api/v1/media/${id}`))
  assert.equal(shown['description'], 'first')
  const described = entity(await alice.put(`/api/v1/media/${id}`, { description: 'second' }))
  assert.equal(described['description'], 'second')
  assert.deepEqual(metaOf(described)['focus'], { x: 0.5, y: 0.5 })
  assert.deepEqual(metaOf(described)['original'], metaOf(shown)['original'])
  const focused = entity(await alice.patch(`/api/v1/media/${id}`, { focus: '-1,0.25' }))
  assert.deepEqual(metaOf(focused)['focus'], { x: -1, y: 0.25 })
  assert.equal(focused['description'], 'second')
  const emptied = entity(await alice.put(`/api/v1/media/${id}`, { description: '', focus: '' }))
  assert.equal(emptied['description'], null)
  assert.ok(!('focus' in metaOf(emptied)))
  assert.deepEqual(entity(await alice.get(`/api/v1/media/${id}`)), emptied)
})

test('invalid changes are refused without effect', async t => {
  const { alice } = await people(t, 'alice')
  const { id } = await add(alice)
  const form = new FormData()
  form.append('thumbnail', new Blob([Uint8Array.from(await picture(10, 10).png().toBuffer())]), 'x.png')
  const cases: [unknown, string][] = [
    [{ description: 'x'.repeat(10_001) }, 'Validation failed: Description is too long (maximum is 10000 characters)'],
    [form, 'Validation failed: Thumbnail must be blank'],
  ]
  for (const [body, error] of cases) {
    const refused = await alice.put(`/api/v1/media/${id}`, body)
    assert.equal(refused.status, 422)
    assert.equal(errorOf(refused), error)
  }
  assert.equal(entity(await alice.get(`/api/v1/media/${id}`))['description'], 'first')
})

test('other accounts cannot see, change or remove an attachment', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const { id } = await add(alice)
  for (const path of [
    `/api/v1/media/${id}`,
    '/api/v1/media/1',
    '/api/v1/media/99999999999999999999',
    '/api/v1/media/x',
  ]) {
    for (const response of [
      await bob.get(path),
      await bob.put(path, { description: 'mine' }),
      await bob.delete(path),
    ]) {
      assert.equal(response.status, 404, `${path}: ${response.text}`)
      assert.equal(errorOf(response), 'Record not found')
    }
  }
  assert.equal((await anonymous.get(`/api/v1/media/${id}`)).status, 401)
  assert.equal(entity(await alice.get(`/api/v1/media/${id}`))['description'], 'first')
})

test('an attachment is read with the scope to write it', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id } = await add(alice)
  for (const [scope, status] of [
    ['read', 403],
    ['read:statuses', 403],
    ['write:statuses', 403],
    ['write:media', 200],
    ['write', 200],
  ] as const) {
    const client = new Client(server, await makeToken(server, alice.userId, [scope]))
    assert.equal((await client.get(`/api/v1/media/${id}`)).status, status, scope)
  }
})

test('an attachment is posted once, by its owner, and then belongs to the status', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const made = await add(alice)
  const taken = await bob.post('/api/v1/statuses', { status: 'not mine', media_ids: [made.id] })
  assert.equal(taken.status, 422)
  assert.match(String(errorOf(taken)), new RegExp(made.id))
  const status = await alice.postStatus('look', { media_ids: [made.id] })
  assert.deepEqual(status['media_attachments'], [made])
  assert.equal((await alice.post('/api/v1/statuses', { status: 'again', media_ids: [made.id] })).status, 422)
  assert.equal((await alice.get(`/api/v1/media/${made.id}`)).status, 404)
  assert.equal((await alice.put(`/api/v1/media/${made.id}`, { description: 'x' })).status, 404)
  const used = await alice.delete(`/api/v1/media/${made.id}`)
  assert.equal(used.status, 422)
  assert.equal(errorOf(used), 'Media attachment is currently used by a status')
})

test('an attachment cannot be posted while it is processed; a failed one says so', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id } = await add(alice)
  await sql(server, `update media_attachments set processing = 'running' where id = $1`, [id])
  const waiting = entity(await alice.get(`/api/v1/media/${id}`), 206)
  assert.equal(waiting['url'], null)
  entity(await alice.put(`/api/v1/media/${id}`, { description: 'meanwhile' }), 206)
  assert.equal(
    errorOf(await alice.post('/api/v1/statuses', { status: 'soon', media_ids: [id] })),
    'Cannot attach files that have not finished processing. Try again in a moment!',
  )
  await sql(server, `update media_attachments set processing = 'failed' where id = $1`, [id])
  for (const response of [await alice.get(`/api/v1/media/${id}`), await alice.put(`/api/v1/media/${id}`, {})]) {
    assert.equal(response.status, 422)
    assert.equal(errorOf(response), 'Error processing thumbnail for uploaded media')
  }
})

test('a removed attachment is deleted with its files', async t => {
  const { alice } = await people(t, 'alice')
  const made = await add(alice)
  assert.equal((await fetchFile(made['url'])).status, 200)
  assert.deepEqual((await alice.delete(`/api/v1/media/${made.id}`)).json, {})
  assert.equal((await alice.get(`/api/v1/media/${made.id}`)).status, 404)
  for (const url of [made['url'], made['preview_url']])
    await until(
      () => isThere(url),
      there => !there,
      'the file to be removed',
    )
  assert.equal((await alice.delete(`/api/v1/media/${made.id}`)).status, 404)
})

test('only unattached files older than a day are removed', async t => {
  const { alice, server } = await people(t, 'alice')
  for (const version of ['v1', 'v2'] as const) {
    const [old, fresh, posted] = [await add(alice, version), await add(alice, version), await add(alice, version)]
    await alice.postStatus('kept', { media_ids: [posted.id] })
    await sql(server, `update media_attachments set created_at = now() - interval '25 hours' where id = any ($1)`, [
      [old.id, posted.id],
    ])
    await sql(server, `select graphile_worker.add_job('media.expire', payload => '{}')`)
    await until(
      () => isThere(old['url']),
      there => !there,
      'the old file to be removed',
    )
    assert.equal((await alice.get(`/api/v1/media/${old.id}`)).status, 404)
    assert.equal((await alice.get(`/api/v1/media/${fresh.id}`)).status, 200)
    for (const made of [fresh, posted]) assert.equal((await fetchFile(made['url'])).status, 200)
  }
})

test('deleting a status removes its files on request, otherwise they can be posted again', async t => {
  const { alice } = await people(t, 'alice')
  const [removed, reusable] = [await add(alice), await add(alice)]
  const [first, second] = [
    await alice.postStatus('1', { media_ids: [removed.id] }),
    await alice.postStatus('2', { media_ids: [reusable.id] }),
  ]
  await alice.delete(`/api/v1/statuses/${first.id}`, { delete_media: true })
  await alice.delete(`/api/v1/statuses/${second.id}`)
  for (const url of [removed['url'], removed['preview_url']])
    await until(
      () => isThere(url),
      there => !there,
      'the file to be removed',
    )
  assert.deepEqual((await alice.postStatus('again', { media_ids: [reusable.id] }))['media_attachments'], [reusable])
})

test('the preview of a posted video changes with its status; a picture has no preview of its own', async t => {
  const { alice, server } = await people(t, 'alice')
  const [row] = await sql(
    server,
    `insert into media_attachments (account_id, type, processing, meta)
     values ($1, 'video', 'done', '{"original": {"width": 8}}') returning id::text`,
    [alice.id],
  )
  const id = String(row?.['id'])
  const status = await alice.postStatus('a film', { media_ids: [id] })
  const edit = async (media: string, thumbnail: Buffer) => {
    const form = new FormData()
    form.append('status', 'a film')
    form.append('media_ids[]', media)
    form.append('media_attributes[0][id]', media)
    form.append('media_attributes[0][thumbnail]', new Blob([Uint8Array.from(thumbnail)]), 'x.png')
    return alice.put(`/api/v1/statuses/${status.id}`, form)
  }
  const shown = (response: ClientResponse): Record<string, unknown> =>
    (entity(response)['media_attachments'] as Record<string, unknown>[])[0] ?? {}
  // The figures of stored space follow from what each attachment takes.
  const takes = async (url: unknown): Promise<void> => {
    const [row] = await sql(server, 'select preview_bytes::integer as bytes from media_attachments where id = $1', [id])
    assert.equal(row?.['bytes'], (await fetchFile(url)).bytes.length)
  }
  const first = await edit(id, await picture(50, 30).png().toBuffer())
  const { preview_url: before, blurhash, meta } = shown(first)
  assert.deepEqual(meta, { original: { width: 8 }, small: { width: 50, height: 30, size: '50x30', aspect: 50 / 30 } })
  assert.equal(typeof blurhash, 'string')
  assert.notEqual(entity(first)['edited_at'], null)
  assert.equal((await sharp((await fetchFile(before)).bytes).metadata()).width, 50)
  await takes(before)
  // Omitted attributes keep their values.
  const edited = await alice.put(`/api/v1/statuses/${status.id}`, { status: 'the film', media_ids: [id] })
  assert.equal(shown(edited)['preview_url'], before)
  await takes(before)
  const second = await edit(id, await picture(40, 30).png().toBuffer())
  assert.notEqual(shown(second)['preview_url'], before)
  await takes(shown(second)['preview_url'])
  await until(
    () => isThere(before),
    there => !there,
    'the old preview to be removed',
  )
  const refused = await edit(id, Buffer.from('no picture at all'))
  assert.equal(refused.status, 422)
  const still = entity(await upload(alice, 'v2', await picture(20, 20).png().toBuffer()))
  const blank = await edit(still.id, await picture(20, 20).png().toBuffer())
  assert.deepEqual([blank.status, errorOf(blank)], [422, 'Validation failed: Thumbnail must be blank'])
})
