import assert from 'node:assert/strict'
import { test } from 'tap'
import { declaredQueries, type Columns, type Query } from '../../../src/platform/database/index.ts'
import { feeds } from '../../../src/timelines/feeds/index.ts'
import { people, person, type Person } from '../../support/people.ts'
import { observe, otherProcess } from './observer.ts'

const idOf = async (response: Promise<{ status: number; json: unknown; text: string }>): Promise<string> => {
  const { status, json, text } = await response
  assert.equal(status, 200, text)
  return (json as { id: string }).id
}
const boost = (person: Person, id: string): Promise<string> => idOf(person.post(`/api/v1/statuses/${id}/reblog`))

test('the home stream sends new statuses, edits and deletes', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  const observer = await observe(t, await otherProcess(t, server), { kind: 'home', owner: alice.id })
  const status = await bob.postStatus('hello')
  const own = await alice.postStatus('mine', { visibility: 'direct' })
  const stranger = await carol.postStatus('not for alice')
  assert.deepEqual(await observer.told(), [
    { event: 'update', status: status.id },
    { event: 'update', status: own.id },
  ])
  await idOf(bob.put(`/api/v1/statuses/${status.id}`, { status: 'hello again' }))
  await idOf(carol.put(`/api/v1/statuses/${stranger.id}`, { status: 'still not' }))
  assert.deepEqual(await observer.told(), [{ event: 'status.update', status: status.id }])
  await idOf(bob.delete(`/api/v1/statuses/${status.id}`))
  await idOf(carol.delete(`/api/v1/statuses/${stranger.id}`))
  assert.deepEqual(await observer.told(), [{ event: 'delete', status: status.id }])
})

test('a boost that the feed hides is not streamed, neither its arrival nor its deletion', async t => {
  const { alice, bob, carol, dora, server } = await people(t, 'alice', 'bob', 'carol', 'dora')
  await alice.follow(bob)
  await alice.follow(carol)
  const observer = await observe(t, await otherProcess(t, server), { kind: 'home', owner: alice.id })
  const status = await dora.postStatus('boost me')
  const shown = await boost(bob, status.id)
  const grouped = await boost(carol, status.id)
  assert.deepEqual(await observer.told(), [{ event: 'update', status: shown }])
  await carol.post(`/api/v1/statuses/${status.id}/unreblog`)
  assert.deepEqual(await observer.told(), [])
  const again = await boost(carol, status.id)
  await bob.post(`/api/v1/statuses/${status.id}/unreblog`)
  assert.deepEqual(await observer.told(), [{ event: 'delete', status: shown }])
  await idOf(dora.put(`/api/v1/statuses/${status.id}`, { status: 'edited' }))
  assert.deepEqual(await observer.told(), [])
  await idOf(dora.delete(`/api/v1/statuses/${status.id}`))
  assert.deepEqual(await observer.told(), [{ event: 'delete', status: again }])
  assert.notEqual(grouped, again)
})

test('mentioned accounts receive a deletion without following the author', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const observer = await observe(t, await otherProcess(t, server), { kind: 'home', owner: alice.id })
  const status = await bob.postStatus(`hello @${alice.username}`)
  assert.deepEqual(await observer.told(), [])
  await idOf(bob.delete(`/api/v1/statuses/${status.id}`))
  assert.deepEqual(await observer.told(), [{ event: 'delete', status: status.id }])
})

test('a block or mute sends deletes for removed statuses; an unfollow does not', async t => {
  const { alice, bob, carol, dora, eve, server } = await people(t, 'alice', 'bob', 'carol', 'dora', 'eve')
  for (const one of [bob, carol, dora]) await alice.follow(one)
  const other = await otherProcess(t, server)
  const observer = await observe(t, other, { kind: 'home', owner: alice.id })
  const byCarol = await carol.postStatus('by carol')
  const innocent = await bob.postStatus('innocent')
  const mention = await bob.postStatus(`hello @${eve.username}`)
  const boosted = await boost(bob, (await eve.postStatus('boost me')).id)
  const byDora = await dora.postStatus('by dora')
  assert.deepEqual(
    (await observer.told()).map(({ status }) => status),
    [byCarol.id, innocent.id, mention.id, boosted, byDora.id],
  )
  const deleted = async (): Promise<string[]> =>
    (await observer.told()).map(({ event, status }) => (event === 'delete' ? status : event))
  await alice.post(`/api/v1/accounts/${dora.id}/unfollow`)
  assert.deepEqual(await deleted(), [])
  await alice.post(`/api/v1/accounts/${eve.id}/mute`)
  assert.deepEqual(await deleted(), [mention.id, boosted])
  await alice.post(`/api/v1/accounts/${carol.id}/block`)
  assert.deepEqual(await deleted(), [byCarol.id])
  assert.deepEqual(await feeds(other).page({ kind: 'home', owner: alice.id }, { limit: 9 }), [innocent.id])
})

test('statuses older than the known ones are edited, deleted, and leave with their author', async t => {
  const { alice, bob, carol, dora, eve, fay, server } = await people(t, 'alice', 'bob', 'carol', 'dora', 'eve', 'fay')
  for (const followed of [bob, carol, dora, fay]) await alice.follow(followed)
  const edited = await carol.postStatus('to be edited')
  const deleted = await carol.postStatus('to be deleted')
  const byCarol = await carol.postStatus('older')
  const mention = await bob.postStatus(`about @${carol.username}`)
  const boosted = await boost(bob, (await carol.postStatus('boosted')).id)
  const byDora = await dora.postStatus('older too')
  const secret = await dora.postStatus(`for @${eve.username}`, { visibility: 'direct' })
  const boostOfDora = await boost(bob, byDora.id)
  for (let count = 0; count < 110; count++) for (const one of [bob, fay]) await one.postStatus(`newer, ${count}`)
  const observer = await observe(t, await otherProcess(t, server), { kind: 'home', owner: alice.id })
  assert.deepEqual(await observer.told(), [])

  await idOf(carol.put(`/api/v1/statuses/${edited.id}`, { status: 'edited' }))
  assert.deepEqual(await observer.told(), [{ event: 'status.update', status: edited.id }])
  await idOf(carol.delete(`/api/v1/statuses/${deleted.id}`))
  assert.deepEqual(await observer.told(), [{ event: 'delete', status: deleted.id }])
  await alice.post(`/api/v1/accounts/${carol.id}/block`)
  const left = (await observer.told()).map(({ event, status }) => `${event} ${status}`)
  for (const id of [edited.id, byCarol.id, mention.id, boosted]) assert.ok(left.includes(`delete ${id}`), id)
  assert.ok(left.every(text => text.startsWith('delete ') && !text.endsWith(byDora.id)))
  const owner = await person(server, 'owner', { roleId: 3 })
  assert.equal((await owner.post(`/api/v1/admin/accounts/${dora.id}/action`, { type: 'suspend' })).status, 200)
  const gone = (await observer.told()).map(({ event, status }) => `${event} ${status}`)
  assert.deepEqual(gone.toSorted(), [`delete ${byDora.id}`, `delete ${boostOfDora}`].toSorted())
  assert.ok(!gone.includes(`delete ${secret.id}`))
})

test('a change of relationships applies from the next event on', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const observer = await observe(t, await otherProcess(t, server), { kind: 'home', owner: alice.id })
  for (let turn = 0; turn < 3; turn++) {
    await bob.postStatus('not yet')
    await alice.follow(bob)
    const received = await bob.postStatus('now')
    await alice.post(`/api/v1/accounts/${bob.id}/unfollow`)
    await bob.postStatus('no longer')
    await alice.follow(bob)
    const last = await bob.postStatus('again')
    const told = await observer.told()
    assert.ok(told.some(({ status }) => status === last.id))
    assert.ok(told.length <= 3, `${told.length} told, after ${received.id}`)
    await alice.post(`/api/v1/accounts/${bob.id}/unfollow`)
    await observer.told()
  }
})

test('the stream of a list', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await alice.follow(carol)
  const list = await idOf(alice.post('/api/v1/lists', { title: 'list' }))
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  const observer = await observe(t, await otherProcess(t, server), { kind: 'list', owner: alice.id, list })
  const status = await bob.postStatus('hello')
  await carol.postStatus('no member')
  assert.deepEqual(await observer.told(), [{ event: 'update', status: status.id }])
  await idOf(bob.delete(`/api/v1/statuses/${status.id}`))
  assert.deepEqual(await observer.told(), [{ event: 'delete', status: status.id }])
  await alice.delete(`/api/v1/lists/${list}`)
  await bob.postStatus('nobody hears this')
  assert.deepEqual(await observer.told(), [])
})

/** A statement of a domain, which only that domain may declare. */
function declared(name: string): Query<Columns, Columns> {
  const found = declaredQueries().get(name)
  if (!found) throw new Error(`${name} is not declared`)
  return found
}

test('own commits of this process are readable at once, and streamed when the log reaches them', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const status = await bob.postStatus('hello')
  const other = await otherProcess(t, server)
  const name = { kind: 'home', owner: alice.id } as const
  const observer = await observe(t, other, name)
  assert.deepEqual(await feeds(other).page(name, { limit: 9 }), [status.id])
  await other.database.run(declared('statuses/delete'), {
    authors: [bob.id],
    statuses: [status.id],
    keep_media: false,
  })
  assert.deepEqual(await feeds(other).page(name, { limit: 9 }), [])
  await other.database.run(declared('accounts/unfollow'), { viewer: alice.id, target: bob.id })
  assert.deepEqual(await observer.told(), [{ event: 'delete', status: status.id }])
})

test('a follow with languages applies to the streams of home and of a list, and so do changes of it at once', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob, { languages: ['de'] })
  const list = await idOf(alice.post('/api/v1/lists', { title: 'choir' }))
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  const streams = [await alice.stream('user'), await alice.stream('list', { list })]
  const expectNext = async (id: string): Promise<void> => {
    for (const stream of streams) assert.equal(((await stream.next('update')).payload as { id: string }).id, id)
  }
  await bob.postStatus('English', { language: 'en' })
  await expectNext((await bob.postStatus('Deutsch', { language: 'de' })).id)
  await alice.follow(bob, { languages: ['en'] })
  await bob.postStatus('noch einmal', { language: 'de' })
  await expectNext((await bob.postStatus('once more', { language: 'en' })).id)
})
