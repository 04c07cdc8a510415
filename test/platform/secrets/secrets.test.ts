import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import webpush from 'web-push'
import { openDatabase, type Database } from '../../../src/platform/database/index.ts'
import { readSecrets } from '../../../src/platform/secrets/index.ts'
import { createTestDatabase } from '../../support/database.ts'

async function opened(t: Test, url?: string): Promise<Database> {
  const connectionString = url ?? (await createTestDatabase(t)).url
  const database = openDatabase({ connection: { connectionString }, poolSize: 2 })
  t.after(() => database.close())
  return database
}

test('secrets are created once and read afterwards', async t => {
  const database = await opened(t)
  const first = await readSecrets(database)
  assert.equal(Buffer.from(first.cookieSecret, 'base64url').length, 32)
  assert.deepEqual(await readSecrets(database), first)
})

test('processes that start at the same time agree on the secrets', async t => {
  const { url } = await createTestDatabase(t)
  const databases = await Promise.all(Array.from({ length: 4 }, () => opened(t, url)))
  const [first, ...others] = await Promise.all(databases.map(database => readSecrets(database)))
  for (const other of others) assert.deepEqual(other, first)
})

test('the VAPID key pair has the format of web-push and signs', async t => {
  const { vapid } = await readSecrets(await opened(t))
  assert.equal(Buffer.from(vapid.publicKey, 'base64url').length, 65)
  assert.equal(Buffer.from(vapid.privateKey, 'base64url').length, 32)
  const headers = webpush.getVapidHeaders(
    'https://push.example',
    'https://millrace.example',
    vapid.publicKey,
    vapid.privateKey,
    'aes128gcm',
  )
  assert.match(headers.Authorization, /^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=/)
})

test('two installations have different secrets', async t => {
  const [one, two] = await Promise.all([readSecrets(await opened(t)), readSecrets(await opened(t))])
  assert.notEqual(one.cookieSecret, two.cookieSecret)
  assert.notEqual(one.vapid.privateKey, two.vapid.privateKey)
})
