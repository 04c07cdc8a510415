import assert from 'node:assert/strict'
import { test } from 'tap'
import { sql, waitForEventLog } from '../support/people.ts'
import { createCast, PEOPLE, VIEWERS, type Cast, type Viewer } from './cast.ts'

/** The viewers who find a boost anywhere in the response to the path. */
async function findersOf({ viewers }: Cast, path: string, id: string): Promise<Viewer[]> {
  const found: Viewer[] = []
  for (const viewer of VIEWERS) {
    const { status, text } = await viewers[viewer].get(path, { limit: '40' })
    assert.ok(status < 500, text)
    if (status === 200 && text.includes(`"id":"${id}"`)) found.push(viewer)
  }
  return found
}

/**
 * Waits until all streams have caught up; returns the ids of the updates received before, by
 * person.
 */
async function collectHomes(cast: Cast, act: () => Promise<void>): Promise<Record<string, string[]>> {
  const sockets = await Promise.all(PEOPLE.map(name => cast[name].stream('user')))
  await act()
  const came: Record<string, string[]> = {}
  for (const [index, name] of PEOPLE.entries()) {
    const socket = sockets[index]
    assert.ok(socket)
    const { id: last } = await cast[name].postStatus('done')
    const ids: string[] = (came[name] = [])
    while (ids.at(-1) !== last) {
      const { payload } = await socket.next('update')
      ids.push((payload as { id: string }).id)
    }
  }
  return came
}

async function boost(who: Cast['helper'], status: string): Promise<string> {
  const { status: code, json, text } = await who.post(`/api/v1/statuses/${status}/reblog`)
  assert.equal(code, 200, text)
  return (json as { id: string }).id
}

test('a boost shows a status only to viewers who may see the status', async t => {
  const cast = await createCast(t)
  const { id: status } = await cast.author.postStatus('worth a boost')
  let boosted = ''
  const came = await collectHomes(cast, async () => {
    boosted = await boost(cast.helper, status)
  })
  // Followers and the author have it already; nothing passes between the author and the blocked or
  // blocking person.
  const readers = ['mentioned', 'stranger']
  assert.deepEqual(
    PEOPLE.filter(name => came[name]?.includes(boosted)),
    readers,
  )
  assert.deepEqual(await findersOf(cast, '/api/v1/timelines/home', boosted), readers)
  const severed: readonly Viewer[] = ['blocked', 'blocking']
  const ofHelper = `/api/v1/accounts/${cast.helper.id}/statuses`
  assert.deepEqual(
    await findersOf(cast, ofHelper, boosted),
    VIEWERS.filter(viewer => !severed.includes(viewer)),
  )

  await sql(
    cast.server,
    `with gone as (update accounts set suspended_at = now() where id = $1 returning id)
     insert into events (kind, account_id, data) select 'account.changed', gone.id, '{"change": "suspended"}' from gone`,
    [cast.author.id],
  )
  await waitForEventLog(cast.helper)
  for (const path of ['/api/v1/timelines/home', ofHelper, `/api/v1/statuses/${boosted}`]) {
    assert.deepEqual(await findersOf(cast, path, status), [], path)
  }
})

test("a boosted private status of one's own is shown to followers only", async t => {
  const cast = await createCast(t)
  const { id: status } = await cast.author.postStatus('for my followers', { visibility: 'private' })
  let boosted = ''
  const came = await collectHomes(cast, async () => {
    boosted = await boost(cast.author, status)
  })
  const readers = ['author', 'follower', 'friend']
  for (const name of PEOPLE) {
    if (!readers.includes(name)) assert.ok(!came[name]?.includes(boosted), `it comes to ${name}`)
  }
  for (const path of [`/api/v1/statuses/${boosted}`, `/api/v1/accounts/${cast.author.id}/statuses`]) {
    assert.deepEqual(await findersOf(cast, path, boosted), readers, path)
  }
  assert.deepEqual(await findersOf(cast, '/api/v1/timelines/public', boosted), [])
  const refused = await cast.follower.post(`/api/v1/statuses/${status}/reblog`)
  assert.ok(refused.status === 403 || refused.status === 404, refused.text)
})
