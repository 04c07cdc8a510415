import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity } from '../status_fixtures.ts'
import { people, sql } from '../../support/people.ts'
import { openSocket } from '../../support/socket.ts'
import { ask, endNow } from './poll_fixtures.ts'

test('when a poll ends its author and voters are notified', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const { status, poll } = await ask(alice, ['a', 'b'], { hide_totals: true })
  const [job] = await sql(
    server,
    `select run_at = p.expires_at as is_due from graphile_worker.jobs j, polls p
     where j.key = 'polls.end:' || $1 and p.id = $1::bigint`,
    [poll.id],
  )
  assert.equal(job?.['is_due'], true)
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  const [own, voter, other] = await Promise.all(
    [alice, bob, carol].map(async who => {
      const socket = await openSocket(server, who.token, 'user:notification')
      t.after(() => socket.close())
      return socket
    }),
  )
  await endNow(server, poll.id)
  for (const socket of [own, voter]) {
    const received = entity((await socket?.next('notification'))?.payload)
    assert.deepEqual(
      [received['type'], entity(received['account']).id, entity(received['status']).id],
      ['poll', alice.id, status.id],
    )
    const ended = entity(entity(received['status'])['poll'])
    assert.deepEqual(
      [ended['expired'], ended['options']],
      [
        true,
        [
          { title: 'a', votes_count: 0 },
          { title: 'b', votes_count: 1 },
        ],
      ],
    )
  }
  await carol.post(`/api/v1/accounts/${alice.id}/follow`)
  await bob.follow(carol)
  assert.equal(entity((await other?.next('notification'))?.payload)['type'], 'follow', 'who did not vote hears nothing')
})

test('votes cause no stream message', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const socket = await openSocket(server, alice.token, 'user')
  t.after(() => socket.close())
  const { poll } = await ask(alice, ['a', 'b'])
  await socket.upTo('update')
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  const next = await alice.postStatus('after it')
  const [first, ...more] = await socket.upTo('update')
  assert.deepEqual([entity(first?.payload).id, more], [next.id, []])
})
