import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import {
  auditLog,
  checkCallers,
  checkPages,
  entitiesOf,
  entityOf,
  refuses,
  staff,
  withPermissions,
} from '../admin_api.ts'

const PATH = '/api/v1/admin/tags'

/** A name that no other test uses. */
const freshName = (): string => `tag${randomBytes(4).toString('hex')}`

const idOf = async (server: ServerAddress, name: string): Promise<string> =>
  String((await sql(server, 'select id::text from tags where name = $1', [name]))[0]?.['id'])

test('without any hashtags the list is empty', async t => {
  const { admin } = await staff(t)
  assert.deepEqual(entitiesOf(await admin.get(PATH)), [])
})

test('a hashtag is reviewed: its spelling, and where it may be used and shown', async t => {
  const { server, admin, moderator, anonymous } = await staff(t)
  const name = freshName()
  await moderator.postStatus(`a #${name}`)
  const id = await idOf(server, name)
  const { history, ...tag } = entityOf(await admin.get(`${PATH}/${id}`))
  assert.equal((history as unknown[]).length, 7)
  assert.deepEqual(tag, {
    id,
    name,
    url: `${server.config.publicUrl}/tags/${name}`,
    following: false,
    featuring: false,
    trendable: false,
    usable: true,
    requires_review: true,
    listable: true,
  })
  const spelled = entityOf(await admin.put(`${PATH}/${id}`, { display_name: name.toUpperCase() }))
  assert.deepEqual([spelled['name'], spelled['requires_review']], [name.toUpperCase(), false])
  // The spelling is that of everybody.
  assert.equal(entityOf(await anonymous.get(`/api/v1/tags/${name}`))['name'], name.toUpperCase())
  const found = async (): Promise<unknown[]> =>
    (
      (await moderator.get('/api/v2/search', { q: name.slice(0, -1), type: 'hashtags' })).json as {
        hashtags: unknown[]
      }
    ).hashtags
  assert.equal((await found()).length, 1)
  const changed = entityOf(await admin.patch(`${PATH}/${id}`, { listable: false, usable: false, trendable: true }))
  assert.deepEqual([changed['listable'], changed['usable'], changed['trendable']], [false, false, true])
  assert.deepEqual(await found(), [])
  const refused = await moderator.post('/api/v1/statuses', { status: `again #${name}` })
  refuses(refused, 422, `Validation failed: Text contained a disallowed hashtag: ${name}`)
  const back = entityOf(await admin.put(`${PATH}/${id}`, { listable: true, usable: true }))
  assert.deepEqual([back['listable'], back['usable'], back['trendable']], [true, true, true])
  await moderator.postStatus(`again #${name}`)
  // By the contract the audit log has no entry of a review by the API.
  assert.deepEqual(await auditLog(server, 'Tag'), [])
})

test('a new spelling must be one of the same hashtag; a review without changes counts', async t => {
  const { server, admin, moderator } = await staff(t)
  const name = freshName()
  await moderator.postStatus(`a #${name}`)
  const id = await idOf(server, name)
  const error = 'Validation failed: Display name does not match the previous name'
  for (const display_name of ['other', '', `${name} x`, `#${name}`])
    refuses(await admin.put(`${PATH}/${id}`, { display_name }), 422, error)
  assert.equal(entityOf(await admin.get(`${PATH}/${id}`))['requires_review'], true)
  assert.equal(entityOf(await admin.put(`${PATH}/${id}`, {}))['requires_review'], false)
  await sql(server, `insert into settings (key, value) values ('trendable_by_default', 'true')`)
  await sql(server, `insert into events (kind, data) values ('settings.changed', '{"keys": ["trendable_by_default"]}')`)
  await becomes(async () => entityOf(await admin.get(`${PATH}/${id}`))['trendable'], true, 'the setting decides')
  assert.equal(entityOf(await admin.put(`${PATH}/${id}`, { trendable: false }))['trendable'], false)
  await sql(server, `delete from settings where key = 'trendable_by_default'`)
  await sql(server, `insert into events (kind, data) values ('settings.changed', '{"keys": ["trendable_by_default"]}')`)
})

test('only roles that manage taxonomies may call these operations, and lists have pages', async t => {
  const everyone = await staff(t)
  const { server, admin, moderator } = everyone
  const names = [freshName(), freshName(), freshName()]
  for (const name of names) await moderator.postStatus(`#${name}`)
  const id = await idOf(server, names[0] ?? '')
  const outsider = await moderatorWithoutTaxonomies(everyone)
  t.after(() => outsider.close())
  await checkCallers(
    everyone,
    '',
    [
      { method: 'GET', path: PATH },
      { method: 'GET', path: `${PATH}/${id}` },
      { method: 'PUT', path: `${PATH}/${id}` },
    ],
    outsider,
  )
  await checkPages(admin, PATH)
})

const moderatorWithoutTaxonomies = ({ server }: { server: ServerAddress }) => withPermissions(server, 'reports', 0x10)
