import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { people, sql, type Person } from '../../support/people.ts'

/** A picture of one pixel. */
const PIXEL = 'R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs='

/** A word that no other status has. */
const newWord = (): string => `w${randomBytes(5).toString('hex')}`

async function find(who: Person, q: string, more: Record<string, string> = {}): Promise<string[]> {
  const response = await who.get('/api/v2/search', { q, type: 'statuses', ...more })
  assert.equal(response.status, 200, response.text)
  return (response.json as { statuses: { id: string }[] }).statuses.map(({ id }) => id)
}

const beIndexable = (who: Person): Promise<unknown> =>
  sql(who.server, 'update accounts set indexable = true where id = $1', [who.id])

test('users find their own statuses, those they interacted with, and public ones of discoverable authors', async t => {
  const { alice, bob, carol, anonymous } = await people(t, 'alice', 'bob', 'carol')
  const word = newWord()
  await beIndexable(bob)
  const own = await alice.postStatus(`${word} own`, { visibility: 'direct' })
  const open = await bob.postStatus(`${word} open`)
  const unlisted = await bob.postStatus(`${word} unlisted`, { visibility: 'unlisted' })
  const closed = await carol.postStatus(`${word} closed`)
  const named = await carol.postStatus(`${word} @${alice.username}`, { visibility: 'direct' })
  const boosted = await carol.postStatus(`${word} boosted`)
  const kept = await carol.postStatus(`${word} kept`)
  assert.deepEqual(await find(alice, word), [named.id, open.id, own.id])
  await alice.post(`/api/v1/statuses/${closed.id}/favourite`)
  await alice.post(`/api/v1/statuses/${boosted.id}/reblog`)
  await alice.post(`/api/v1/statuses/${kept.id}/bookmark`)
  const all = [kept.id, boosted.id, named.id, closed.id, open.id, own.id]
  assert.deepEqual(await find(alice, word), all)
  assert.deepEqual(
    await find(alice, `${word} in:library`),
    all.filter(id => id !== open.id),
  )
  assert.deepEqual(await find(alice, `${word} in:public`), [open.id])
  assert.deepEqual(await find(carol, `${word} in:public`), [open.id])
  assert.deepEqual(await find(bob, word), [unlisted.id, open.id])
  const response = await anonymous.get('/api/v2/search', { q: word })
  assert.deepEqual((response.json as { statuses: unknown[] }).statuses, [])
  await alice.post(`/api/v1/accounts/${carol.id}/mute`)
  assert.deepEqual(await find(alice, word), [open.id, own.id])
  await bob.post(`/api/v1/accounts/${alice.id}/block`)
  assert.deepEqual(await find(alice, word), [own.id])
})

test('quotes, embedded videos and polls without text are found', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await beIndexable(bob)
  const word = newWord()
  const plain = await bob.postStatus(`${word} plain`)
  const quote = await bob.postStatus(`${word} quote`, { quoted_status_id: plain.id })
  const film = await bob.postStatus(`${word} film`)
  await sql(
    server,
    `with card as (insert into preview_cards (url, type) values ('https://films.example/' || $2, 'video') returning id)
     insert into preview_cards_statuses (status_id, preview_card_id, url) select $1, card.id, 'https://films.example' from card`,
    [film.id, word],
  )
  const poll = { options: ['a', 'b'], expires_in: 3600 }
  const asked = await bob.postStatus(`${word} asked`, { poll, language: 'de' })
  const again = await bob.postStatus(`${word} again`, { poll, language: 'en', quoted_status_id: plain.id })
  await carol.postStatus(`${word} by one who may not be found`, { poll })
  await bob.postStatus(`${word} unlisted`, { poll, visibility: 'unlisted' })
  const table: [string, string[]][] = [
    [`${word} is:quote`, [again.id, quote.id]],
    [`${word} is:quote -has:poll`, [quote.id]],
    [`${word} has:embed`, [film.id]],
    [`${word} -has:embed -is:quote -has:poll`, [plain.id]],
    ['has:poll', [again.id, asked.id]],
    ['has:poll language:de', [asked.id]],
    ['has:poll -is:quote', [asked.id]],
    ['has:poll in:library', []],
    [`has:poll from:${bob.username}`, [again.id, asked.id]],
  ]
  const since = { min_id: plain.id }
  for (const [q, ids] of table) {
    assert.deepEqual(
      (await find(alice, q)).filter(id => q.includes(word) || id >= plain.id),
      ids,
      q,
    )
  }
  assert.deepEqual(await find(alice, 'has:poll', since), [again.id, asked.id])
  assert.deepEqual(await find(alice, 'has:poll', { ...since, max_id: again.id }), [asked.id])
  assert.deepEqual(await find(alice, 'has:poll', { limit: '1', offset: '1' }), [asked.id])
})

test('edited and deleted statuses are found in their present state', async t => {
  const { alice } = await people(t, 'alice')
  const [before, after] = [newWord(), newWord()]
  const { id } = await alice.postStatus(before, { spoiler_text: 'Careful' })
  assert.deepEqual(await find(alice, `${before} careful`), [id])
  await alice.put(`/api/v1/statuses/${id}`, { status: after })
  assert.deepEqual(await find(alice, before), [])
  assert.deepEqual(await find(alice, after.toUpperCase()), [id])
  await alice.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await find(alice, after), [])
})

test('words, phrases, negation and operators must all match', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await beIndexable(bob)
  const word = newWord()
  const first = await alice.postStatus(`${word} the quick fox`, { language: 'en' })
  const second = await alice.postStatus(`${word} fox quick https://example.com/a`, { language: 'de', sensitive: true })
  const third = await bob.postStatus(`${word} quick`, { in_reply_to_id: first.id })
  const many = Array.from({ length: 32 }, (_, at) => `${word}n${at}`).join(' ')
  const long = await alice.postStatus(many)
  const poll = await bob.postStatus(`${word} vote`, { poll: { options: ['a', 'b'], expires_in: 3600 } })
  const table: [string, string[]][] = [
    [`${word} fox`, [second.id, first.id]],
    [`${word} "quick fox"`, [first.id]],
    [`${word} -"quick fox"`, [poll.id, third.id, second.id]],
    [`${word} -fox -vote`, [third.id]],
    [`${word} language:de`, [second.id]],
    [`${word} -language:de fox`, [first.id]],
    [`${word} is:sensitive`, [second.id]],
    [`${word} has:link`, [second.id]],
    [`${word} is:reply`, [third.id]],
    [`${word} has:poll`, [poll.id]],
    [`${word} -has:poll -from:me`, [third.id]],
    [`${word} has:media`, []],
    [`${word} from:me`, [second.id, first.id]],
    [`${word} from:${bob.username}`, [poll.id, third.id]],
    [`${word} from:@nobody_${word}`, []],
    [`${word} from:${bob.username} from:me`, []],
    [`${word} before:2020-01-01`, []],
    [`${word} after:2020-01-01 fox`, [second.id, first.id]],
    [`${word} during:2020`, []],
    [`${word} -during:2020 fox`, [second.id, first.id]],
    [`${word} in:library`, [second.id, first.id]],
    [`${word} in:library -fox`, []],
    [`${word} absent`, []],
    [`${word} fox `.repeat(120), [second.id, first.id]],
    [`${word} ${'fox '.repeat(200)}absent`, []],
    // Words beyond 32 are ignored.
    [`${many} absent`, [long.id]],
    [`absent ${many}`, []],
    [`${word} !!`, [poll.id, third.id, second.id, first.id]],
    ['!!', []],
  ]
  for (const [q, ids] of table) assert.deepEqual(await find(alice, q), ids, q)
  const all = [poll.id, third.id, second.id, first.id]
  assert.deepEqual(await find(alice, word, { max_id: third.id }), [second.id, first.id])
  assert.deepEqual(await find(alice, word, { min_id: second.id }), [poll.id, third.id])
  assert.deepEqual(await find(alice, word, { account_id: bob.id }), [poll.id, third.id])
  assert.deepEqual(await find(alice, word, { limit: '2' }), all.slice(0, 2))
  assert.deepEqual(await find(alice, word, { limit: '2', offset: '1' }), all.slice(1, 3))
  assert.deepEqual(await find(alice, word, { limit: '0' }), [])
  const wrong = await alice.get('/api/v2/search', { q: 'before:yesterday' })
  assert.deepEqual([wrong.status, wrong.json], [422, { error: 'Invalid date supplied' }])
})

test('a search goes back through all times, newest first', async t => {
  const { alice, server } = await people(t, 'alice')
  const word = newWord()
  const made = await sql(
    server,
    `insert into statuses (id, account_id, text, visibility)
     select snowflake_at(now() - days * interval '1 day'), $1, $2, 'public' from unnest('{1000,700,300,150,40,4,0}'::int[]) days
     returning id::text`,
    [alice.id, word],
  )
  const ids = made.map(({ id }) => String(id)).reverse()
  assert.deepEqual(await find(alice, word), ids)
  assert.deepEqual(await find(alice, `${word} in:library`), ids)
  assert.deepEqual(await find(alice, word, { limit: '3', offset: '2' }), ids.slice(2, 5))
  assert.deepEqual(await find(alice, word, { max_id: String(ids[3]) }), ids.slice(4))
})

test('words are found in the present descriptions of attachments and options of polls', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await beIndexable(bob)
  const [described, changed, option, other] = [newWord(), newWord(), newWord(), newWord()]
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(PIXEL, 'base64')], { type: 'image/gif' }), 'a.gif')
  form.set('description', `a ${described} on a lawn`)
  const media = await bob.post('/api/v2/media', form)
  const { id: mediaId } = media.json as { id: string }
  const pictured = await bob.postStatus('picture', { media_ids: [mediaId] })
  const poll = { options: [`an ${option}`, 'none'], expires_in: 3600 }
  const asked = await bob.postStatus('which?', { poll })
  for (const who of [alice, bob]) {
    assert.deepEqual(await find(who, described), [pictured.id])
    assert.deepEqual(await find(who, `picture ${described} has:image`), [pictured.id])
    assert.deepEqual(await find(who, `"a ${described} on"`), [pictured.id])
    assert.deepEqual(await find(who, `${option} has:poll`), [asked.id])
    assert.deepEqual(await find(who, `${option} in:library`), who === bob ? [asked.id] : [])
  }
  await bob.put(`/api/v1/statuses/${pictured.id}`, {
    status: 'picture',
    media_ids: [mediaId],
    media_attributes: [{ id: mediaId, description: `a ${changed}` }],
  })
  await bob.put(`/api/v1/statuses/${asked.id}`, { status: 'which?', poll: { ...poll, options: [other, 'none'] } })
  for (const who of [alice, bob]) {
    assert.deepEqual(await find(who, described), [])
    assert.deepEqual(await find(who, changed), [pictured.id])
    assert.deepEqual(await find(who, option), [])
    assert.deepEqual(await find(who, other), [asked.id])
  }
  await bob.put(`/api/v1/statuses/${pictured.id}`, { status: 'none left' })
  assert.deepEqual(await find(alice, changed), [])
  const [row] = await sql(server, 'select attached_text from statuses where id = $1', [pictured.id])
  assert.equal(row?.['attached_text'], '')
})
