import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { test } from 'tap'
import { Browser } from '../support/browser.ts'
import { localUri, PUBLIC, startPeer } from '../support/federation/peer.ts'
import { watchPutOff } from '../support/federation/put_off.ts'
import { becomes } from '../platform/settings/pair.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { people, sql } from '../support/people.ts'
import { storeRemoteAccount, runScheduled, hasType } from './federation_fixtures.ts'

/* The deletion of a local account elsewhere. */

const PAGE = '/settings/delete'

test('all known servers receive the deletion of an account, at low priority and with eight retries', async t => {
  const { server } = await people(t)
  const owner = await personWithPassword(server, 'owner')
  t.after(() => owner.close())
  const peer = await startPeer(t)
  // Nobody there follows the account.
  await storeRemoteAccount(server, peer.actor('bob'))
  const putOff = await watchPutOff(t, server)
  const browser = new Browser(server)
  await browser.signIn(owner.email, PASSWORD)
  const fields = { 'form_delete_confirmation[password]': PASSWORD }
  const gone = await browser.submit(await browser.get(PAGE), PAGE, fields, 'delete')
  assert.equal(gone.status, 303, gone.text)
  peer.refuses = 503
  await runScheduled(t, server, 'federation.send_account')
  const { activity, headers } = await peer.next(hasType('Delete'))
  const uri = localUri(server, owner.id)
  assert.deepEqual(
    [activity['id'], activity['actor'], activity['object'], activity['to']],
    [`${uri}#delete`, uri, uri, [PUBLIC]],
  )
  assert.match(String(headers['signature']), new RegExp(`keyId="${uri}#main-key"`))
  const [job] = await putOff(1)
  const [row] = await sql(
    server,
    `select j.priority, j.payload ->> 'attempt' as attempt, j.payload ->> 'maximum' as maximum
     from graphile_worker._private_jobs j where j.id = $1`,
    [job],
  )
  assert.deepEqual(row, { priority: 20, attempt: '2', maximum: '9' })
  peer.refuses = undefined
  await runScheduled(t, server, 'federation.deliver')
  await peer.next(hasType('Delete'))
  const document = await fetch(uri, { headers: { accept: 'application/activity+json' } })
  assert.equal(document.status, 410)
})

test('the deletion of an account is signed by the key that other servers know', async t => {
  const { server } = await people(t)
  const owner = await personWithPassword(server, 'keyholder')
  t.after(() => owner.close())
  const peer = await startPeer(t)
  await storeRemoteAccount(server, peer.actor('dora'))
  const path = new URL(localUri(server, owner.id)).pathname
  const { json } = await owner.get(path, {}, { accept: 'application/activity+json' })
  const { publicKeyPem } = (json as { publicKey: { publicKeyPem: string } }).publicKey
  // No process has the key in memory any more, as after a restart.
  await sql(server, `insert into events (kind, account_id, data) values ('signing_key.changed', $1, '{}')`, [owner.id])
  const browser = new Browser(server)
  await browser.signIn(owner.email, PASSWORD)
  const fields = { 'form_delete_confirmation[password]': PASSWORD }
  const gone = await browser.submit(await browser.get(PAGE), PAGE, fields, 'delete')
  assert.equal(gone.status, 303, gone.text)
  await runScheduled(t, server, 'federation.send_account')
  const { path: inbox, headers } = await peer.next(hasType('Delete'))
  const [, signed = '', signature = ''] =
    /headers="([^"]+)",signature="([^"]+)"/.exec(String(headers['signature'])) ?? []
  const lines = signed
    .split(' ')
    .map(name => `${name}: ${name === '(request-target)' ? `post ${inbox}` : String(headers[name])}`)
  assert.ok(verify('RSA-SHA256', Buffer.from(lines.join('\n')), publicKeyPem, Buffer.from(signature, 'base64')))
  const keys = `select k.account_id::text as id from signing_keys k where k.account_id = $1`
  assert.equal((await sql(server, keys, [owner.id])).length, 1)
  // The last attempt to deliver it is over.
  await sql(server, `update accounts set updated_at = now() - interval '6 days' where id = $1`, [owner.id])
  await sql(server, `select graphile_worker.add_job('federation.remove_finished', '{}')`)
  await becomes(() => sql(server, keys, [owner.id]), [], 'the key pair is deleted')
})
