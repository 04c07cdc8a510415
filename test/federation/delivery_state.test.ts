import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere } from '../cli/command.ts'
import { Client } from '../support/client.ts'
import { startPeer } from '../support/federation/peer.ts'
import { watchPutOff } from '../support/federation/put_off.ts'
import { people, sql } from '../support/people.ts'
import { deliver, findAccountId, noteTo } from './receive/receive_fixtures.ts'

/* What operators see of the exchange with other servers, and what they do about it. */

test('failed deliveries are listed, retried and purged; metrics count received and delivered activities', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  await deliver(server, alice, carol, noteTo(server, alice, carol, 'hello'))
  const id = await findAccountId(server, carol)
  await sql(server, "insert into follows (account_id, target_account_id, uri) values ($1, $2, 'https://a.example/f')", [
    id,
    alice.id,
  ])
  const ctl = async (...given: string[]): Promise<string> => {
    const { code, out, err } = await runHere(['deliveries', ...given], { DATABASE_URL: server.databaseUrl })
    assert.equal(code, 0, err)
    return out
  }
  assert.ok(!(await ctl('hosts')).includes(peer.domain), 'nothing has failed')

  await alice.postStatus('taken')
  await peer.next(activity => activity['type'] === 'Create')
  const reached = async () =>
    (await sql(server, 'select to_char(at, $1) as at from delivery_successes', ['YYYY-MM-DD HH24:MI']))[0]
  while ((await reached()) === undefined) await new Promise(resolve => setImmediate(resolve))
  peer.refuses = 503
  const putOff = await watchPutOff(t, server)
  await alice.postStatus('first')
  await peer.next(activity => activity['type'] === 'Create')
  await putOff(1)
  const listed = await ctl('hosts')
  assert.match(
    listed,
    new RegExp(
      `^${peer.domain.replaceAll('.', '\\.')} +failing +1 +1 +[-\\d]+ [:\\d]+ +[-\\d]+ [:\\d]+ +1 .* 503$`,
      'm',
    ),
  )

  peer.refuses = undefined
  assert.match(await ctl('retry', peer.domain), /^OK, 1 deliveries to /)
  await peer.next(activity => activity['type'] === 'Create')
  assert.match(await ctl('purge', peer.domain), /^Removed 0 deliveries to /)
  const refused = await runHere(['deliveries', 'retry', 'nobody.example'], { DATABASE_URL: server.databaseUrl })
  assert.equal(refused.code, 1)
  assert.match(refused.err, /Nothing has failed at nobody\.example/)

  assert.equal((await fetch(`${server.url}/inbox`, { method: 'POST', body: '{}' })).status, 401)
  const { text } = await new Client(server).get('/metrics')
  assert.match(text, /^millrace_activities_received_total\{type="Create",outcome="processed"\} [1-9]/m)
  assert.match(text, /^millrace_deliveries_total\{type="Create",outcome="failed"\} [1-9]/m)
  assert.match(text, /^millrace_deliveries_total\{type="Create",outcome="taken"\} [1-9]/m)
  assert.match(text, /^millrace_signatures_refused_total\{status="401"\} [1-9]/m)
  for (const name of ['inbox_waiting', 'deliveries_retrying', 'delivery_hosts_failing'])
    assert.match(text, new RegExp(`^millrace_${name} \\d`, 'm'))
})
