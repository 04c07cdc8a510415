import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

const idIn = (payload: unknown): string => (payload as { id: string }).id

test('two servers on one database stream each other’s writes and resume each other’s streams', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const second = await startServer(t, { databaseUrl: server.databaseUrl })
  const there = new Person(second, alice.token ?? '', alice)
  const bobThere = new Person(second, bob.token ?? '', bob)
  t.after(() => there.close())
  const [home, homeThere] = [await alice.stream('user', { last_event_id: '' }), await there.stream('user')]
  for (const author of [bob, bobThere]) {
    const { id } = await author.postStatus('hello')
    assert.equal(idIn((await home.next('update')).payload), id)
    assert.equal(idIn((await homeThere.next('update')).payload), id)
  }
  const first = await bob.postStatus('before')
  const { id } = await home.next('update')
  await home.close()
  const missed = [await bobThere.postStatus('one'), await bob.postStatus('two')]
  const resumed = await there.stream('user', { last_event_id: id ?? '' })
  for (const status of missed) assert.equal(idIn((await resumed.next('update')).payload), status.id)
  await bobThere.delete(`/api/v1/statuses/${first.id}`)
  assert.equal((await resumed.next('delete')).payload, first.id)
})
