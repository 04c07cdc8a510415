import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test, type Test } from 'tap'
import { people, person, type Person } from '../../support/people.ts'

const letters = (amount: number): string =>
  Array.from({ length: amount }, () => String.fromCodePoint(97 + randomInt(26))).join('')

/** The text with another letter at an index. */
const misspelt = (text: string, place: number): string =>
  text.slice(0, place) + (text[place] === 'q' ? 'x' : 'q') + text.slice(place + 1)

test('a misspelt name finds similar names, in both searches', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const name = letters(10)
  const [meant, shown] = [
    await person(server, 'x', { account: { username: name } }),
    await person(server, 'x', { account: { display_name: `Mill ${misspelt(name, 8)}` } }),
  ]
  const hidden = [
    await person(server, 'x', { account: { username: misspelt(name, 3), suspended_at: new Date() } }),
    await person(server, 'x', { account: { username: misspelt(name, 2) }, user: { approved: false } }),
  ]
  const find = async (q: string, more: Record<string, string> = {}, who: Pick<Person, 'get'> = alice) => {
    const { json } = await who.get('/api/v2/search', { q, type: 'accounts', ...more })
    return (json as { accounts: { id: string }[] }).accounts.map(({ id }) => id).toSorted()
  }
  const both = [meant.id, shown.id].toSorted()
  assert.deepEqual(await find(name), [meant.id], 'who has the name is enough')
  assert.deepEqual(await find(name.slice(0, 6)), both.toSorted(), 'as is how it begins')
  assert.deepEqual(await find(misspelt(name, 5)), both)
  assert.deepEqual(await find(misspelt(name, 5), {}, anonymous), both)
  const { json } = await alice.get('/api/v1/accounts/search', { q: misspelt(name, 6) })
  assert.deepEqual((json as { id: string }[]).map(({ id }) => id).toSorted(), both)
  assert.deepEqual(await find(letters(3) + name.slice(0, 2) + letters(8)), [], 'what is little like it')
  assert.deepEqual(await find(misspelt(name, 5), { following: 'true' }), [])
  await alice.follow(meant)
  assert.deepEqual(await find(misspelt(name, 5), { following: 'true' }), [meant.id])
  const { json: ordered } = await alice.get('/api/v1/accounts/search', { q: misspelt(name, 6), limit: '1' })
  assert.deepEqual((ordered as { id: string }[])[0]?.id, meant.id, 'those who are followed come first')
  assert.equal(hidden.length, 2)
})

test('a misspelt name in another script finds it too', async t => {
  const { alice, server } = await people(t, 'alice')
  const meant = await person(server, 'x', { account: { display_name: 'Александр Константинопольский' } })
  const { json } = await alice.get('/api/v1/accounts/search', { q: 'Констонтинопольский' })
  assert.deepEqual(
    (json as { id: string }[]).map(({ id }) => id),
    [meant.id],
  )
})

/** Finds accounts, and makes some with a display name. */
async function searcher(t: Test) {
  const { alice, server } = await people(t, 'alice')
  const named = async (name: string): Promise<string> =>
    (await person(server, 'x', { account: { display_name: name } })).id
  const find = async (q: string, more: Record<string, string> = {}): Promise<string[]> => {
    const { json } = await alice.get('/api/v1/accounts/search', { q, ...more })
    return (json as { id: string }[]).map(({ id }) => id)
  }
  return { alice, named, find }
}

test('a name with a Turkish İ is found as it is written', async t => {
  const { named, find } = await searcher(t)
  const id = await named('İlk')
  assert.deepEqual(await find('İlk'), [id])
})

test('a Σ at the end is the beginning of a longer name, and the last letter of one in small letters', async t => {
  const { named, find } = await searcher(t)
  const greek = [await named('ΝΟΣ'), await named('ΝΟΣΤΟΣ'), await named('Νος')]
  assert.deepEqual((await find('ΝΟΣ')).toSorted(), greek.toSorted())
  const pages = [await find('ΝΟΣ', { limit: '2' }), await find('ΝΟΣ', { limit: '2', offset: '2' })]
  assert.deepEqual(pages.flat().toSorted(), greek.toSorted())
  assert.deepEqual(await find('νος'), greek.slice(2))
})

test('a hashtag is found while it is typed in Greek capitals', async t => {
  const { alice } = await searcher(t)
  await alice.postStatus('#Οδυσσέας #ΟΔΥΣΣΕΥΣ')
  const find = async (q: string): Promise<string[]> => {
    const { json } = await alice.get('/api/v2/search', { q, type: 'hashtags' })
    return (json as { hashtags: { name: string }[] }).hashtags.map(({ name }) => name)
  }
  assert.deepEqual(await find('ΟΔΥΣΣΕΥΣ'), ['ΟΔΥΣΣΕΥΣ'])
  assert.deepEqual(await find('#ΟΔΥΣ'), ['Οδυσσέας', 'ΟΔΥΣΣΕΥΣ'])
})

test('a word of a display name is found by its first one or two characters, as in Japanese and Korean', async t => {
  const { named, find } = await searcher(t)
  const [japanese, korean, latin] = [await named('山田　太郎'), await named('김 민수'), await named('Kim Ox')]
  for (const q of ['太', '太郎', '山', '山田', ' 太郎']) assert.deepEqual(await find(q), [japanese], q)
  assert.deepEqual(await find('민수'), [korean])
  assert.deepEqual(await find('OX'), [latin])
  assert.deepEqual(await find('郎'), [], 'not within a word')
  const odd = await named(`Q '\\ :*`)
  for (const q of [`'\\`, `'`, '\\', ':*', '&', '% '])
    assert.deepEqual(await find(q), [`'\\`, ':*'].includes(q) ? [odd] : [], q)
})
