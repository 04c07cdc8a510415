import assert from 'node:assert/strict'
import { test } from 'tap'
import { addNote, listNotes, removeNote } from '../../src/moderation/index.ts'
import { directDatabase } from '../support/direct.ts'
import { people, person, sql } from '../support/people.ts'
import { moderator } from './moderation_fixtures.ts'

test('notes about an account and a report are listed in order', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const [mod, database] = [await moderator(t, server), directDatabase(t, server)]
  const { id: report } = (await alice.post('/api/v1/reports', { account_id: bob.id })).json as { id: string }
  await addNote(database, mod.id, { account: bob.id }, ' first ')
  await addNote(database, null, { account: bob.id }, 'second')
  await addNote(database, mod.id, { report }, 'about the report')
  const notes = await listNotes(database, { account: bob.id })
  assert.deepEqual(
    notes.map(({ author, author_id, content }) => ({ author, author_id, content })),
    [
      { author: mod.username, author_id: mod.id, content: 'first' },
      { author: null, author_id: null, content: 'second' },
    ],
  )
  assert.deepEqual(
    (await listNotes(database, { report })).map(({ content }) => content),
    ['about the report'],
  )
})

test('of many notes the newest are listed', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const database = directDatabase(t, server)
  await sql(
    server,
    `insert into moderation_notes (target_account_id, account_id, content) select $1, $2, n::text from generate_series(1, 501) n`,
    [bob.id, alice.id],
  )
  const notes = await listNotes(database, { account: bob.id })
  assert.deepEqual([notes.length, notes[0]?.content, notes.at(-1)?.content], [500, '2', '501'])
})

test('a note has a text of at most 2000 characters, and a subject', async t => {
  const { server, bob } = await people(t, 'bob')
  const database = directDatabase(t, server)
  await assert.rejects(addNote(database, null, { account: bob.id }, ' '), {
    message: "Validation failed: Content can't be blank",
  })
  await assert.rejects(addNote(database, null, { account: bob.id }, 'x'.repeat(2001)), {
    message: 'Validation failed: Content is too long (maximum is 2000 characters)',
  })
  await addNote(database, null, { account: bob.id }, '😀'.repeat(2000))
  await assert.rejects(addNote(database, null, { account: '999999' }, 'x'), { code: 'notFound' })
  await assert.rejects(addNote(database, null, { report: '999999' }, 'x'), { code: 'notFound' })
})

test('a note can be deleted by its author and by moderators of a higher rank', async t => {
  const { server, bob } = await people(t, 'bob')
  const database = directDatabase(t, server)
  const [mod, peer] = [await moderator(t, server), await moderator(t, server)]
  const admin = await person(server, 'admin', { roleId: 2 })
  const note = () => addNote(database, mod.id, { account: bob.id }, 'x')
  await assert.rejects(removeNote(database, peer.id, await note()), { code: 'notAllowed' })
  const by = await addNote(database, admin.id, { account: bob.id }, 'x')
  await assert.rejects(removeNote(database, mod.id, by), { code: 'notAllowed' })
  await removeNote(database, mod.id, await note())
  await removeNote(database, admin.id, await note())
  await removeNote(database, null, await note())
  await assert.rejects(removeNote(database, null, '999999'), { code: 'notFound' })
})

test('notes stay when their author or the data of the account are removed', async t => {
  const { server, bob } = await people(t, 'bob')
  const [mod, database] = [await moderator(t, server), directDatabase(t, server)]
  await addNote(database, mod.id, { account: bob.id }, 'kept')
  for (const account of [mod.id, bob.id])
    while (Number((await sql(server, 'select clear_account($1, 1000) as n', [account]))[0]?.['n']) > 0);
  assert.equal((await listNotes(database, { account: bob.id })).length, 1)
})
