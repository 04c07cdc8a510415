import assert from 'node:assert/strict'
import test from 'node:test'
import { people, person, type Person } from '../support/people.ts'

async function filter(who: Person, keyword: string): Promise<void> {
  const keywords_attributes = [{ keyword, whole_word: true }]
  const asked = { title: keyword, context: ['home'], filter_action: 'warn', keywords_attributes }
  const { status, text } = await who.post('/api/v2/filters', asked)
  assert.equal(status, 200, text)
}

test('each follower is told of a status as it is for them', async t => {
  const { alice, carol, dora, erin, server } = await people(t, 'alice', 'carol', 'dora', 'erin')
  const bob = await person(server, 'bob', { account: { locked: true, discoverable: true } })
  t.after(() => bob.close())
  // Erin is told of tags only: she may not quote what is for followers, nor feature the author.
  for (const follower of [alice, carol, dora]) {
    await follower.follow(bob)
    assert.equal((await bob.post(`/api/v1/follow_requests/${follower.id}/authorize`)).status, 200)
  }
  const tag = await erin.post('/api/v1/tags/tea/follow')
  assert.equal(tag.status, 200, tag.text)
  await filter(carol, 'coffee')
  await filter(dora, 'cocoa')
  const quoted = await alice.say('worth quoting')
  const readers = [alice, bob, carol, dora, erin]
  const streams = new Map<Person, Awaited<ReturnType<Person['stream']>>>()
  for (const reader of readers) streams.set(reader, await reader.stream('user'))

  const poll = { options: ['tea', 'coffee'], expires_in: 3600 }
  const posts: Record<string, unknown>[] = [
    { status: 'no #tea without coffee' },
    { status: '#tea', quote_approval_policy: 'followers' },
    { status: '#tea', spoiler_text: 'cocoa' },
    { status: 'which #tea?', poll },
    { status: `#tea for @${alice.username}` },
    { status: 'well said: #tea', quoted_status_id: quoted.id },
    { status: '#tea or coffee', visibility: 'private' },
  ]
  for (const post of posts) {
    const { id } = await bob.say(String(post['status']), { visibility: 'public', ...post })
    for (const reader of readers) {
      if (reader === erin && post['visibility'] === 'private') continue
      const { payload } = (await streams.get(reader)?.next('update')) ?? {}
      const shown = await reader.get(`/api/v1/statuses/${id}`)
      assert.equal(shown.status, 200)
      assert.deepEqual(payload, shown.json, `${reader.username} of ${JSON.stringify(post)}`)
    }
    await bob.delete(`/api/v1/statuses/${id}`)
    for (const reader of readers) {
      if (reader === erin && post['visibility'] === 'private') continue
      assert.equal((await streams.get(reader)?.next('delete'))?.payload, id)
    }
  }
})
