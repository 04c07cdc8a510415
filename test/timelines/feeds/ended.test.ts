import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../../support/people.ts'

for (const action of ['unfollow', 'mute', 'block']) {
  test(`after ${action} the statuses of the account are in no feed`, async t => {
    const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
    for (const other of [bob, carol]) await alice.follow(other)
    await alice.post(`/api/v1/accounts/${bob.id}/endorse`)
    const { id: list } = (await alice.post('/api/v1/lists', { title: 'l' })).json as { id: string }
    await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id, carol.id] })
    const theirs = await bob.postStatus('theirs')
    const other = await carol.postStatus('another')
    const boost = (await carol.post(`/api/v1/statuses/${theirs.id}/reblog`)).json as { id: string }
    const feeds = ['/api/v1/timelines/home', `/api/v1/timelines/list/${list}`]
    const ids = async (path: string): Promise<string[]> =>
      ((await alice.get(path)).json as { id: string }[]).map(({ id }) => id)
    for (const path of feeds) assert.ok((await ids(path)).includes(theirs.id), path)
    const response = await alice.post(`/api/v1/accounts/${bob.id}/${action}`)
    assert.equal(response.status, 200)
    for (const path of feeds) {
      const left = await ids(path)
      assert.equal(left.includes(theirs.id), false, path)
      assert.ok(left.includes(other.id), path)
      if (action !== 'unfollow') assert.equal(left.includes(boost.id), false, `${path}: a boost of it`)
    }
    const members = (await alice.get(`/api/v1/lists/${list}/accounts`)).json as { id: string }[]
    assert.deepEqual(members.map(({ id }) => id).includes(bob.id), action === 'mute')
    assert.equal((response.json as { endorsed: boolean }).endorsed, action === 'mute')
  })
}
