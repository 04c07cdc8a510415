import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

/**
 * Words are searched in the texts of a library before their vectors are made. That may not exclude
 * anything that the vectors would find.
 */

const TEXTS = [
  'Plain words, IN CAPITALS and half-timbered',
  'a link: https://Example.COM/Some/Path?q=1#there and mail to Someone@Example.org',
  'ΟΔΟΣ και ΟΔΟΣ-παράδειγμα: Σίσυφος',
  '100% of under_scored back\\slashes and 3.14 or -12e5',
  'über Straße, Übergröße, İstanbul, ﬁnal, Ｗｉｄｅ',
  'a<b>c</b> &amp; d&lt;e x>y',
  "it's rock'n'roll, O'Brien's “quoted” «guillemets»",
  '日本語のテキスト and emoji 🦊fox',
  '「今日」は天気がいい。ที่นี่ဒီမှာ—über…¿Qué？',
]

async function found(viewer: Person, query: string): Promise<string[]> {
  const response = await viewer.get('/api/v2/search', { q: `${query} in:library`, type: 'statuses', limit: '40' })
  assert.equal(response.status, 200, response.text)
  return (response.json as { statuses: { id: string }[] }).statuses.map(({ id }) => id)
}

test('a library is searched as the vectors of its statuses are', async t => {
  const server = await startServer(t)
  const viewer = await person(server, 'viewer')
  const said = []
  for (const text of TEXTS)
    said.push({ text, id: (await viewer.postStatus(text, { spoiler_text: 'Warning: WORDS' })).id })
  const lexemes = await sql(
    server,
    `select distinct word from unnest($1::text[]) text, unnest(tsvector_to_array(to_tsvector('simple', unaccented_words(text)))) word`,
    [TEXTS],
  )
  const words = lexemes.map(({ word }) => String(word))
  const pieces = TEXTS.flatMap(text => text.split(/[\s"“”«»]+/)).filter(piece => piece !== '')
  for (const word of [...words, ...pieces, 'nowhere', 'capitals plain', 'half timbered']) {
    const phrases = word.split(' ').map(part => `"${part}"`)
    const expected = await sql(
      server,
      `select s.id::text
       from statuses s, search_query($1) asked
       where numnode(asked) > 0 and to_tsvector('simple', unaccented_words(s.spoiler_text || E'\\n\\n' || s.text)) @@ asked
       order by s.id desc`,
      [phrases.join(' ')],
    )
    const ids = expected.map(({ id }) => id)
    assert.deepEqual(await found(viewer, phrases.join(' ')), ids, word)
  }
  assert.equal((await found(viewer, 'warning')).length, TEXTS.length)
  assert.equal((await found(viewer, 'warning -plain')).length, TEXTS.length - 1)
  assert.equal((await found(viewer, '-plain')).length, TEXTS.length - 1)
})

test('words of many recent statuses are found like rare ones', async t => {
  const server = await startServer(t)
  const [viewer, other, third] = await Promise.all(
    (['viewer', 'other', 'third'] as const).map(name => person(server, name)),
  )
  assert.ok(viewer && other && third)
  const mine = [
    await viewer.postStatus('windmill'),
    await viewer.postStatus('a Windmill and a mill'),
    await viewer.postStatus('mill'),
  ]
  const [older, newer, last] = mine.map(({ id }) => id)
  await other.postStatus('windmill')
  const mentioned = await other.postStatus(`windmill for @${viewer.username}`)
  const liked = await other.postStatus('windmill, liked')
  const boosted = await other.postStatus('windmill, boosted')
  const marked = await other.postStatus('windmill, marked')
  const asked = await other.postStatus('windmill?', { poll: { options: ['yes', 'no'], expires_in: 600 } })
  await viewer.post(`/api/v1/statuses/${liked.id}/favourite`)
  await viewer.post(`/api/v1/statuses/${boosted.id}/reblog`)
  await viewer.post(`/api/v1/statuses/${marked.id}/bookmark`)
  const poll = (asked as unknown as { poll: { id: string } }).poll
  await viewer.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  const others = [asked, marked, boosted, liked, mentioned].map(({ id }) => id)
  const check = async (): Promise<void> => {
    assert.deepEqual(await found(viewer, 'windmill'), [...others, newer, older])
    assert.deepEqual(await found(viewer, 'windmill -mill'), [...others, older])
    assert.deepEqual(await found(viewer, 'mill'), [last, newer])
    assert.deepEqual(await found(viewer, 'windmill has:poll'), [asked.id])
    assert.deepEqual(await found(other, 'windmill liked'), [liked.id])
  }
  /**
   * Adds statuses with the numbers from one to another, in this many periods of three days before
   * the last one.
   */
  const add = (author: Person, text: string, before: number, from: number, to: number): Promise<unknown> =>
    sql(
      server,
      `insert into statuses (id, account_id, text, content, visibility, local)
       select ((newest.id >> 44) - $3::bigint << 44) + number, $1, $2, '', 'public', true
       from (select max(s.id) as id from statuses s) newest
       cross join generate_series($4::integer, $5::integer) number`,
      [author.id, text, before, from, to],
    )
  const lately = 'a windmill, a mill, liked'
  await check()
  await add(third, lately, 1, 1, 1)
  await check()
  // Of 300 of the viewer's own statuses the index is asked, more are read from the newest end.
  await add(third, 'sail', 1, 2, 2)
  await add(viewer, 'sail', 2, 1, 300)
  const some = await found(viewer, 'sail')
  assert.equal(some.length, 40)
  await add(viewer, 'sail', 2, 301, 310)
  const more = await found(viewer, 'sail')
  assert.deepEqual(more.slice(10), some.slice(0, 30))
  assert.deepEqual(await found(viewer, 'sail has:poll'), [])
  await check()
  // A large library, for which the index is queried.
  await add(viewer, 'something else', 3, 1, 2001)
  await check()
  await add(third, lately, 1, 3, 40)
  await check()
})
