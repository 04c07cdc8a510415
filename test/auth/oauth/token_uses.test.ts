import assert from 'node:assert/strict'
import { test } from 'tap'
import { connect, waitsForLock } from '../../support/other_transaction.ts'
import { people, sql } from '../../support/people.ts'

test('recording the use of a token and revoking all tokens of its user do not wait for each other', async t => {
  const { alice, server } = await people(t, 'alice')
  const revoking = await connect(t, server)
  await revoking.query('begin')
  await revoking.query('select from users where id = $1 for no key update', [alice.userId])
  await alice.get('/api/v1/accounts/verify_credentials')
  await waitsForLock(server, 'record_token_uses')
  // PostgreSQL ends one of them as a deadlock if the recording holds the token already.
  await revoking.query('update oauth_tokens set revoked_at = now() where user_id = $1', [alice.userId])
  await revoking.query('commit')
  const isRecorded = 'select from users where id = $1 and last_active_at is not null'
  const errors = () => server.log.filter(({ msg }) => msg === 'recovered from an error')
  while (errors().length === 0 && (await sql(server, isRecorded, [alice.userId])).length === 0);
  assert.deepEqual(errors(), [])
})
