import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../../support/people.ts'
import { entity } from '../../statuses/status_fixtures.ts'

test('a posted, edited or scheduled status has the language of a tag with a region', async t => {
  const { alice } = await people(t, 'alice')
  const language = async (tag: string): Promise<unknown> =>
    (await alice.postStatus('Servus', { language: tag }))['language']
  assert.equal(await language('de-AT'), 'de')
  assert.equal(await language('pt_BR'), 'pt')
  assert.equal(await language('EN'), 'en')
  assert.equal(await language('zh-tw'), 'zh-TW')
  assert.equal(await language('zh-Hans'), 'zh')
  const usual = await language('')
  assert.equal(await language('klingon-AT'), usual)
  const { id } = await alice.postStatus('Hello', { language: 'en' })
  const edit = async (tag: string): Promise<unknown> =>
    entity((await alice.put(`/api/v1/statuses/${id}`, { status: 'Servas', language: tag })).json)['language']
  assert.equal(await edit('de-CH'), 'de')
  assert.equal(await edit('klingon'), 'de')
  const scheduled = await alice.post('/api/v1/statuses', {
    status: 'later',
    language: 'de-AT',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  assert.equal(scheduled.status, 200, scheduled.text)
  assert.equal((scheduled.json as { params: { language: unknown } }).params.language, 'de')
})

test('tags with a region are understood in profiles, follows, collections and searches', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const change = (language: string) => alice.patch('/api/v1/accounts/update_credentials', { source: { language } })
  const changed = (await change('de-AT')).json as { source: { language: unknown } }
  assert.equal(changed.source.language, 'de')
  assert.equal((await change('klingon')).status, 422)
  const posted = await alice.postStatus('einzigartig')
  assert.equal(posted['language'], 'de')
  const followed = await alice.post(`/api/v1/accounts/${bob.id}/follow`, { languages: ['de-AT', 'de', 'zh-hk'] })
  assert.deepEqual((followed.json as { languages: unknown }).languages, ['de', 'zh-HK'])
  assert.equal((await alice.post(`/api/v1/accounts/${bob.id}/follow`, { languages: ['klingon'] })).status, 422)
  const made = await alice.post('/api/v1/collections', {
    name: 'some',
    language: 'fr-CA',
    sensitive: false,
    discoverable: false,
  })
  assert.equal(made.status, 200, made.text)
  const { collection } = made.json as { collection: { id: string; language: unknown } }
  assert.equal(collection.language, 'fr')
  const renamed = await alice.patch(`/api/v1/collections/${collection.id}`, { language: 'pt-BR' })
  assert.equal((renamed.json as { collection: { language: unknown } }).collection.language, 'pt')
  await sql(server, 'update accounts set indexable = true where id = $1', [alice.id])
  const found = await bob.get('/api/v2/search', { q: 'einzigartig language:de-AT', type: 'statuses' })
  assert.deepEqual(
    (found.json as { statuses: { id: string }[] }).statuses.map(({ id }) => id),
    [posted.id],
  )
})
