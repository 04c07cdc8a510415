import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { removeCachedMedia, removeCardImages } from '../../../src/moderation/retention/index.ts'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { makeKey, openFolder } from '../../../src/platform/storage/index.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, type ServerAddress } from '../../support/server.ts'

/** What a removal needs, as another process on the server's database. */
async function openServices(t: Test, server: ServerAddress) {
  const connection = { connectionString: server.databaseUrl }
  const database = openDatabase({ connection, poolSize: 1, onError: () => {}, onSlowQuery: () => {} })
  t.after(() => database.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-retention-'))
  t.after(() => rm(dataDir, { recursive: true }))
  return { database, storage: openFolder({ dataDir, mediaUrl: 'https://one.example' }) }
}

const keys = async (server: ServerAddress, text: string) => (await sql(server, text)).map(row => row['key'])

test('a preview picture that is fetched while older ones are removed stays', async t => {
  const server = await sharedServer()
  const services = await openServices(t, server)
  const [first, second, fresh] = [makeKey('cards', 'png'), makeKey('cards', 'png'), makeKey('cards', 'png')]
  await sql(
    server,
    `insert into preview_cards (url, type, title, image_key, fetched_at)
     select 'https://page.example/' || key, 'link', 'A page', key, now() - interval '9 days' from unnest($1::text[]) key`,
    [[first, second]],
  )
  await removeCardImages(services, {
    before: new Date(),
    each: async () => {
      await sql(server, 'update preview_cards set image_key = $2 where image_key = $1', [second, fresh])
    },
  })
  assert.deepEqual(await keys(server, 'select image_key as key from preview_cards order by id'), [null, fresh])
})

test('an attachment that is copied again while older copies are removed stays', async t => {
  const server = await sharedServer()
  const services = await openServices(t, server)
  const [first, second, fresh] = [makeKey('media', 'png'), makeKey('media', 'png'), makeKey('media', 'png')]
  await sql(
    server,
    `with a as (
       insert into accounts (username, domain, uri) values ('far', 'far.example', 'https://far.example/far') returning id
     )
     insert into media_attachments (account_id, type, file_key, preview_key, remote_url, created_at)
     select a.id, 'image', key, null, 'https://far.example/1.png', now() - interval '9 days' from a, unnest($1::text[]) key`,
    [[first, second]],
  )
  await removeCachedMedia(services, {
    before: new Date(),
    each: async () => {
      await sql(server, 'update media_attachments set file_key = $2 where file_key = $1', [second, fresh])
    },
  })
  assert.deepEqual(await keys(server, 'select file_key as key from media_attachments order by id'), [null, fresh])
})
