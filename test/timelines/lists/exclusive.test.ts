import assert from 'node:assert/strict'
import { test } from 'tap'
import type { ClientResponse } from '../../support/client.ts'
import { people, waitForEventLog, type Person } from '../../support/people.ts'
import type { StreamMessage, TestSocket } from '../../support/socket.ts'

const idIn = ({ payload }: StreamMessage): string => (payload as { id: string }).id

async function ids(reader: Person, path: string): Promise<string[]> {
  const response: ClientResponse = await reader.get(path)
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(({ id }) => id)
}

/** The ids of the updates on a stream before this one. */
const before = async (stream: TestSocket, last: string): Promise<string[]> =>
  (await stream.upTo('update', message => idIn(message) === last))
    .filter(({ event }) => event === 'update')
    .map(idIn)
    .slice(0, -1)

test('members of an exclusive list appear only in it and its stream, except for followed hashtags and new-post notifications', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob, { notify: true })
  await alice.follow(carol)
  const { id: list } = (await alice.post('/api/v1/lists', { title: 'apart', exclusive: true })).json as { id: string }
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  const tag = `apart${alice.id}`
  await alice.post(`/api/v1/tags/${tag}/follow`)
  const [home, own, notices] = [
    await alice.stream('user'),
    await alice.stream('list', { list }),
    await alice.stream('user:notification'),
  ]
  const post = await bob.postStatus('only in the list')
  const notice = (await notices.next('notification')).payload as { type: string; status: { id: string } }
  assert.deepEqual([notice.type, notice.status.id], ['status', post.id])
  const boosted = await carol.postStatus('will be boosted')
  const { id: boost } = (await bob.post(`/api/v1/statuses/${boosted.id}/reblog`)).json as { id: string }
  const tagged = await bob.postStatus(`also by its tag #${tag}`)
  const end = await carol.postStatus('the end')
  assert.deepEqual(await before(home, end.id), [boosted.id, tagged.id])
  assert.deepEqual(await before(own, tagged.id), [post.id, boost])
  assert.deepEqual(await ids(alice, '/api/v1/timelines/home'), [end.id, tagged.id, boosted.id])
  assert.deepEqual(await ids(alice, `/api/v1/timelines/list/${list}`), [tagged.id, boost, post.id])

  await alice.patch(`/api/v1/lists/${list}`, { exclusive: false })
  const shared = await bob.postStatus('in both')
  assert.equal(idIn(await home.next('update', message => idIn(message) === shared.id)), shared.id)
  await alice.patch(`/api/v1/lists/${list}`, { exclusive: true })
  await bob.postStatus('apart again')
  const last = await carol.postStatus('the very end')
  assert.deepEqual(await before(home, last.id), [])
  await alice.delete(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  const free = await bob.postStatus('no member any more')
  assert.equal(idIn(await home.next('update')), free.id)
})

test('a list follows the relationships of its owner, and includes the owner’s own posts as a member', async t => {
  const { alice, bob, carol, dora } = await people(t, 'alice', 'bob', 'carol', 'dora')
  await alice.follow(bob)
  const { id: list } = (await alice.post('/api/v1/lists', { title: 'x' })).json as { id: string }
  const members = `/api/v1/lists/${list}/accounts`
  await alice.post(members, { account_ids: [bob.id] })
  const stream = await alice.stream('list', { list })
  const path = `/api/v1/timelines/list/${list}`
  assert.deepEqual(await ids(alice, path), [])
  const early = await alice.postStatus('not a member yet')
  await waitForEventLog(carol)
  await alice.post(members, { account_ids: [alice.id] })
  await alice.post(`/api/v1/accounts/${dora.id}/mute`)
  await dora.postStatus('unseen')
  const unseen = await dora.postStatus('boosted by a member')
  const seen = await carol.postStatus('a stranger')
  const steps: Record<string, () => Promise<{ id: string }>> = {
    'mentions somebody muted': () => bob.postStatus(`hello @${dora.username}`),
    'boosts somebody muted': () => boost(bob, unseen.id),
    'for the mentioned alone': () => bob.postStatus(`@${alice.username} hi`, { visibility: 'direct' }),
    'an answer to a stranger': () => bob.postStatus('to a stranger', { in_reply_to_id: seen.id }),
    'in another language': async () => {
      await alice.follow(bob, { languages: ['de'] })
      return bob.postStatus('English', { language: 'en' })
    },
    'a boost that is not wanted': async () => {
      await alice.follow(bob, { languages: ['de'], reblogs: false })
      return boost(bob, seen.id)
    },
  }
  for (const step of Object.values(steps)) await step()
  const taken = [
    await alice.postStatus('mine', { visibility: 'private' }),
    await bob.postStatus('von einem Mitglied', { language: 'de' }),
  ]
  const received = await stream.upTo('update', message => idIn(message) === taken[1]?.id)
  const expected = taken.map(({ id }) => id)
  assert.deepEqual(received.filter(({ event }) => event === 'update').map(idIn), expected)
  const shown = await ids(alice, path)
  assert.deepEqual(shown, [...expected.toReversed(), early.id])
})

async function boost(who: Person, status: string): Promise<{ id: string }> {
  const response = await who.post(`/api/v1/statuses/${status}/reblog`)
  assert.equal(response.status, 200, response.text)
  return response.json as { id: string }
}

test('the lists of an account are only those of the caller', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  for (const owner of [alice, carol]) await owner.follow(bob)
  const made: string[] = []
  for (const owner of [alice, alice, carol]) {
    const { id } = (await owner.post('/api/v1/lists', { title: 'x' })).json as { id: string }
    await owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: [bob.id] })
    made.push(id)
  }
  await alice.post('/api/v1/lists', { title: 'without him' })
  assert.deepEqual((await ids(alice, `/api/v1/accounts/${bob.id}/lists`)).sort(), made.slice(0, 2).sort())
  assert.deepEqual(await ids(carol, `/api/v1/accounts/${bob.id}/lists`), made.slice(2))
  assert.deepEqual(await ids(bob, `/api/v1/accounts/${bob.id}/lists`), [])
  await alice.post(`/api/v1/accounts/${bob.id}/unfollow`)
  assert.deepEqual(await ids(alice, `/api/v1/accounts/${bob.id}/lists`), [], 'who is unfollowed leaves the lists')
})
