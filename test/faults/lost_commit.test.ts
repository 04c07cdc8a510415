import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'tap'
import { Client } from '../support/client.ts'
import { connect, waitForLocks } from '../support/other_transaction.ts'
import { person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { startDatabaseProxy } from '../support/tcp_proxy.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const LOCK = 4711

test('an upload stays whole when the connection is lost while its row is being committed', async t => {
  const there = await startServer(t)
  const cable = await startDatabaseProxy(t, there.databaseUrl)
  const here = await startServer(t, { databaseUrl: cable.url, oneProcess: 'its connections are cut' })
  const author = await person(there, 'author')
  await sql(
    there,
    `create function wait_for_lock() returns trigger language plpgsql as
     'begin
        -- As when the connection is lost after the last look at it.
        perform set_config(''client_connection_check_interval'', ''0'', true);
        perform pg_advisory_xact_lock(${LOCK});
        return null;
      end';
     create constraint trigger waiting after insert on media_attachments deferrable initially deferred
     for each row execute function wait_for_lock()`,
  )
  const other = await connect(t, there)
  await other.query('select pg_advisory_lock($1)', [LOCK])
  const form = new FormData()
  form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png')
  const upload = new Client(here, author.token).post('/api/v2/media', form)
  await waitForLocks(there, 1, upload)
  cable.remove()
  assert.equal((await upload).status, 503)
  await other.query('select pg_advisory_unlock($1)', [LOCK])
  const find = () => sql(there, 'select file_key, preview_key from media_attachments')
  let rows = await find()
  while (rows.length === 0) rows = await find()
  for (const key of [rows[0]?.['file_key'], rows[0]?.['preview_key']].map(String))
    assert.ok(existsSync(path.join(here.config.dataDir, 'media', key)), key)
})
