import assert from 'node:assert/strict'
import test from 'node:test'
import { person, sql, type Person } from '../support/people.ts'
import { startServer } from '../support/server.ts'

/* Words are looked for in the texts of a library before their vectors are made. That may keep out nothing that the vectors would find. */

const TEXTS = [
  'Plain words, IN CAPITALS and half-timbered',
  'a link: https://Example.COM/Some/Path?q=1#there and mail to Someone@Example.org',
  'ΟΔΟΣ και ΟΔΟΣ-παράδειγμα: Σίσυφος',
  '100% of under_scored back\\slashes and 3.14 or -12e5',
  'über Straße, Übergröße, İstanbul, ﬁnal, Ｗｉｄｅ',
  'a<b>c</b> &amp; d&lt;e x>y',
  "it's rock'n'roll, O'Brien's “quoted” «guillemets»",
  '日本語のテキスト and emoji 🦊fox',
]

async function found(viewer: Person, query: string): Promise<string[]> {
  const answer = await viewer.get('/api/v2/search', { q: `${query} in:library`, type: 'statuses', limit: '40' })
  assert.equal(answer.status, 200, answer.text)
  return (answer.json as { statuses: { id: string }[] }).statuses.map(({ id }) => id)
}

test('a library is searched as the vectors of its statuses are', async t => {
  const server = await startServer(t)
  const viewer = await person(server, 'viewer')
  const said = []
  for (const text of TEXTS) said.push({ text, id: (await viewer.say(text, { spoiler_text: 'Warning: WORDS' })).id })
  const lexemes = await sql(
    server,
    `select distinct word from unnest($1::text[]) text, unnest(tsvector_to_array(to_tsvector('simple', text))) word`,
    [TEXTS],
  )
  const words = lexemes.map(({ word }) => String(word)).filter(word => !/["“”«»]/.test(word))
  const pieces = TEXTS.flatMap(text => text.split(/[\s"“”«»]+/)).filter(piece => piece !== '')
  for (const word of [...words, ...pieces, 'nowhere', 'capitals plain', 'half timbered']) {
    const phrases = word.split(' ').map(part => `"${part}"`)
    const expected = await sql(
      server,
      `select s.id::text
       from statuses s, websearch_to_tsquery('simple', $1) asked
       where numnode(asked) > 0 and to_tsvector('simple', s.spoiler_text || E'\\n\\n' || s.text) @@ asked
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

test('what many statuses have had lately is found as what few have', async t => {
  const server = await startServer(t)
  const [viewer, other] = await Promise.all([person(server, 'viewer'), person(server, 'other')])
  const mine = [await viewer.say('windmill'), await viewer.say('a Windmill and a mill'), await viewer.say('mill')]
  const [older, newer, last] = mine.map(({ id }) => id)
  await other.say('windmill')
  assert.deepEqual(await found(viewer, 'windmill'), [newer, older])
  // In the stretch of three days before the last one.
  await sql(
    server,
    `insert into statuses (id, account_id, text, content, visibility, local)
     select ((max(s.id) >> 44) - 1 << 44) + 1, $1, 'windmill', '', 'public', true from statuses s`,
    [other.id],
  )
  assert.deepEqual(await found(viewer, 'windmill'), [newer, older])
  assert.deepEqual(await found(viewer, 'windmill -mill'), [older])
  assert.deepEqual(await found(viewer, 'mill'), [last, newer])
})
