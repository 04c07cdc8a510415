import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { collect, pathOf } from './collection_fixtures.ts'

const tagged = (status: unknown): string[] =>
  (status as { tagged_collections: { id: string }[] }).tagged_collections.map(one => one.id)

test('a status shows the collections that its text links to and the viewer may see', async t => {
  // Text is linked only for hosts with a known top-level domain.
  const here = 'https://here.example.com'
  const started = await startServer(t, { env: { PUBLIC_URL: here } })
  const server = { ...started, url: `http://127.0.0.1:${started.config.port}` }
  const anonymous = new Client(server)
  const [alice, bob, carol] = await Promise.all([
    person(server, 'alice'),
    person(server, 'bob'),
    person(server, 'carol'),
  ])
  t.after(() => carol.close())
  const first = await collect(alice, [])
  const second = await collect(bob, [], { discoverable: false })
  const text = `see ${first.url} and ${second.uri}, not ${here}/collections/9 or https://other.example/collections/1`
  const status = await carol.postStatus(text)
  const path = `/api/v1/statuses/${status.id}`
  assert.deepEqual(tagged(status), [first.id, second.id])
  assert.deepEqual((status['tagged_collections'] as unknown[])[0], first)
  assert.deepEqual(tagged((await anonymous.get(path)).json), [first.id, second.id])
  const stream = await carol.stream('public')
  assert.deepEqual(tagged(await carol.postStatus(first.url)), [first.id])
  assert.deepEqual(tagged((await stream.next('update')).payload), [first.id])
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(tagged((await bob.get(path)).json), [second.id])
  const edited = await carol.put(path, { status: `only ${second.url}` })
  assert.deepEqual(tagged(edited.json), [second.id])
  await bob.delete(pathOf(second.id))
  assert.deepEqual(tagged((await carol.get(path)).json), [])
})
