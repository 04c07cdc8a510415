import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql, type Person } from '../../support/people.ts'

const refused = (fault: string): unknown[] => [422, { error: `Validation failed: ${fault}` }]
const TOO_MANY = refused('You have reached the maximum number of filter keywords')
const TOO_LONG = refused('You have reached the maximum length of all filter keywords (30000 characters)')

interface Filter {
  readonly id: string
  readonly keywords: readonly { readonly id: string }[]
}

async function make(owner: Person, keywords: readonly string[], title = 'words') {
  const response = await owner.post('/api/v2/filters', {
    title,
    context: ['home'],
    keywords_attributes: keywords.map(keyword => ({ keyword })),
  })
  return { answer: [response.status, response.json], filter: response.json as Filter }
}

test('the number of an account’s keywords, and their text, are limited', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const words = Array.from({ length: 1999 }, (_, index) => `w${index}`)
  const { filter } = await make(alice, words)
  assert.equal(filter.keywords.length, 1999)
  const add = async (keyword: string): Promise<unknown[]> => {
    const { status, json } = await alice.post(`/api/v2/filters/${filter.id}/keywords`, { keyword })
    return [status, status === 422 ? json : undefined]
  }
  assert.deepEqual((await make(alice, ['a', 'b'])).answer, TOO_MANY)
  assert.deepEqual(await add('last'), [200, undefined])
  assert.deepEqual(await add('more'), TOO_MANY)
  const older = await alice.post('/api/v1/filters', { phrase: 'older', context: ['home'] })
  assert.deepEqual([older.status, older.json], TOO_MANY)
  const attributes = [{ keyword: 'more' }]
  const changed = await alice.put(`/api/v2/filters/${filter.id}`, { keywords_attributes: attributes })
  assert.deepEqual([changed.status, changed.json], TOO_MANY)
  assert.equal(((await alice.get('/api/v2/filters')).json as Filter[]).length, 1)

  const long = Array.from({ length: 59 }, (_, index) => `${index}`.padEnd(500, 'x'))
  const full = (await make(bob, long)).filter
  assert.equal(full.keywords.length, 59)
  assert.deepEqual((await make(bob, ['y'.repeat(501)])).answer, TOO_LONG)
  const [first] = full.keywords
  const change = async (keyword: string): Promise<unknown[]> => {
    const { status, json } = await bob.put(`/api/v2/filters/keywords/${first?.id}`, { keyword })
    return [status, status === 422 ? json : undefined]
  }
  assert.equal((await make(bob, ['y'.repeat(500)])).filter.keywords.length, 1)
  assert.deepEqual(await change('z'.repeat(501)), TOO_LONG)
  assert.deepEqual(await change('z'.repeat(499)), [200, undefined])
})

test('the number of an account’s filters, and of statuses in them, is limited', async t => {
  const { alice, server } = await people(t, 'alice')
  await sql(
    server,
    `insert into filters (account_id, title, contexts) select $1, 'f' || n, '{home}' from generate_series(1, 199) n`,
    [alice.id],
  )
  const { filter } = await make(alice, [])
  assert.deepEqual((await make(alice, [])).answer, refused('You have reached the maximum number of filters'))
  const status = await alice.postStatus('listed')
  await sql(
    server,
    `with made as (
       insert into statuses (account_id, content, visibility)
       select $1, '', 'public' from generate_series(1, 5000) returning id
     ) insert into filter_statuses (filter_id, status_id) select $2, made.id from made`,
    [alice.id, filter.id],
  )
  const listed = await alice.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: status.id })
  assert.deepEqual([listed.status, listed.json], refused('You have reached the maximum number of filtered posts'))
})

test('accounts above the limits keep their filters, and may change and remove them', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { filter } = await make(alice, ['spider'])
  await sql(server, 'alter table filter_keywords disable trigger user')
  await sql(
    server,
    `insert into filter_keywords (filter_id, keyword) select $1, repeat(n || 'x', 10) from generate_series(1, 3000) n`,
    [filter.id],
  )
  await sql(server, 'alter table filter_keywords enable trigger user')
  const found = (await alice.get(`/api/v2/filters/${filter.id}`)).json as Filter
  const [first] = found.keywords
  const shorter = await alice.put(`/api/v2/filters/keywords/${first?.id}`, { keyword: 'wasp' })
  assert.equal(shorter.status, 200, shorter.text)
  assert.equal((await alice.put(`/api/v2/filters/${filter.id}`, { title: 'other' })).status, 200)
  const status = await bob.postStatus('a wasp here')
  const seen = (await alice.get(`/api/v1/statuses/${status.id}`)).json as { filtered: { keyword_matches: string[] }[] }
  assert.deepEqual(seen.filtered[0]?.keyword_matches, ['wasp'])
  assert.equal((await alice.delete(`/api/v2/filters/keywords/${first?.id}`)).status, 200)
})

test('concurrent additions respect the limits', async t => {
  const { alice } = await people(t, 'alice')
  await make(
    alice,
    Array.from({ length: 1995 }, (_, index) => `w${index}`),
  )
  const answers = await Promise.all(Array.from({ length: 8 }, () => make(alice, ['one'])))
  assert.equal(answers.filter(({ answer: response }) => response[0] === 200).length, 5)
})

test('the memory of filters is measured', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await bob.postStatus('nothing')
  const bytes = async (): Promise<number> =>
    Number(
      /^millrace_cache_bytes\{cache="filters"\} (\S+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1],
    )
  await alice.get(`/api/v1/statuses/${status.id}`)
  const before = await bytes()
  await make(
    alice,
    Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(200, 'x')),
  )
  await alice.get(`/api/v1/statuses/${status.id}`)
  assert.ok((await bytes()) - before > 50 * 200 * 20)
})
