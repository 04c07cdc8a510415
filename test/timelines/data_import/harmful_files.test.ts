import assert from 'node:assert/strict'
import { test } from 'tap'
import { longestAnswerMs } from '../../support/longest_answer.ts'
import { people, type Person } from '../../support/people.ts'
import { signedIn } from '../../support/signed_in.ts'
import { fileOf, load, PAGE } from './import_fixtures.ts'

const MEGABYTE = 1024 * 1024
/** For a slow machine; such files once kept the server from answering for half a minute. */
const LONGEST_ANSWER_MS = 8000

test('the server answers while it reads a large file with very many rows or columns', async t => {
  const { browser, server, person } = await signedIn(t, 'alice')
  const form = await browser.get(PAGE)
  const send = async (text: string, reason: RegExp): Promise<void> => {
    const sent = browser.submit(form, PAGE, { 'import[kind]': 'blocks', 'import[file]': fileOf(text) })
    const longestMs = await longestAnswerMs(server, sent)
    const { status, text: page } = await sent
    assert.equal(status, 200)
    assert.match(page, reason)
    assert.ok(longestMs < LONGEST_ANSWER_MS, `an answer took ${Math.round(longestMs)} ms`)
  }
  await send('a\n'.repeat(10 * MEGABYTE), /has more than 20000 rows/)
  await send(',\n'.repeat(10 * MEGABYTE), /contains no rows/)
  assert.deepEqual(await load({ browser, server, person }, 'blocks', `a${','.repeat(20 * MEGABYTE - 1)}`), [1, 1])
})

const followed = async (alice: Person): Promise<string[]> =>
  ((await alice.get(`/api/v1/accounts/${alice.id}/following`)).json as { id: string }[]).map(({ id }) => id).toSorted()

test('a file of which no row can be imported replaces nothing', async t => {
  const alice = await signedIn(t, 'alice')
  const { bob, carol } = await people(t, 'bob', 'carol')
  await alice.person.follow(bob)
  await alice.person.follow(carol)
  await alice.person.post('/api/v1/domain_blocks', { domain: 'bad.example' })
  // As spreadsheets in some languages write it.
  const text = `Account address;Show boosts\n${bob.username};true\n${carol.username};true`
  assert.deepEqual(await load(alice, 'follows', text, 'overwrite'), [3, 3])
  assert.deepEqual(await followed(alice.person), [bob.id, carol.id].toSorted())
  assert.deepEqual(await load(alice, 'domain_blocks', 'not a domain', 'overwrite'), [1, 1])
  assert.deepEqual((await alice.person.get('/api/v1/domain_blocks')).json, ['bad.example'])
})

test('options that a file of follows does not contain stay as they are', async t => {
  const alice = await signedIn(t, 'alice')
  const { bob, carol } = await people(t, 'bob', 'carol')
  const options = { reblogs: false, notify: true, languages: ['de'] }
  for (const one of [bob, carol]) await alice.person.post(`/api/v1/accounts/${one.id}/follow`, options)
  const optionsOf = async (one: Person): Promise<unknown[]> => {
    const [found] = (await alice.person.get(`/api/v1/accounts/relationships?id[]=${one.id}`)).json as {
      showing_reblogs: boolean
      notifying: boolean
      languages: string[]
    }[]
    return [found?.showing_reblogs, found?.notifying, found?.languages]
  }
  assert.deepEqual(await load(alice, 'follows', bob.username), [1, 0])
  assert.deepEqual(await optionsOf(bob), [false, true, ['de']])
  const text = `Account address,Show boosts,Notify on new posts,Languages\n${carol.username},true,,`
  assert.deepEqual(await load(alice, 'follows', text), [1, 0])
  assert.deepEqual(await optionsOf(carol), [true, true, ['de']])
})
