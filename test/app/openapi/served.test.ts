import assert from 'node:assert/strict'
import { test } from 'tap'
import { operations } from '../../../src/app/operations.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, startServer } from '../../support/server.ts'

const open = async (): Promise<Client> => new Client(await sharedServer())

const linksIn = ({ text }: ClientResponse): string[] =>
  [...text.matchAll(/href="(\/api\?[^"#]*)/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'))

test('the document is public, cached, compressed and revalidated by its ETag', async () => {
  const client = await open()
  const { status, headers, json } = await client.get('/api/openapi.json', {}, { 'accept-encoding': 'br' })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(headers.get('cache-control') ?? '', /^max-age=300, public/)
  assert.equal(headers.get('content-encoding'), 'br')
  const { openapi, servers } = json as { openapi: string; servers: { url: string }[] }
  assert.equal(openapi, '3.1.0')
  assert.deepEqual(servers, [{ url: client.server.url }])
  const again = await client.get('/api/openapi.json', {}, { 'if-none-match': headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
})

test('it is public on a closed server as well', async t => {
  const { databaseUrl } = await startServer(t)
  await sql(
    { url: '', databaseUrl },
    "insert into settings (key, value) values ('disallow_unauthenticated_api_access', 'true')",
  )
  const closed = new Client(await startServer(t, { databaseUrl }))
  assert.equal((await closed.get('/api/v1/custom_emojis')).status, 401)
  assert.equal((await closed.get('/api/openapi.json')).status, 200)
  assert.equal((await closed.get('/api')).status, 200)
})

test('the pages describe every operation and entity, without scripts', async () => {
  const client = await open()
  const overview = await client.get('/api')
  assert.equal(overview.status, 200)
  assert.match(overview.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(overview.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'/)
  assert.doesNotMatch(overview.text, /<script/)
  const links = [...new Set(linksIn(overview))]
  const pages = await Promise.all(links.map(path => client.get(path)))
  assert.deepEqual(
    pages.filter(({ status }) => status !== 200),
    [],
  )
  const all = pages.map(({ text }) => text).join('\n')
  const described = operations.flatMap(({ path, auth }) =>
    auth === 'handler' ? [] : [path].flat().filter(one => one.startsWith('/api/')),
  )
  const missing = described.filter(path => !all.includes(path.replaceAll(/:([a-z_]+)/g, '{$1}')))
  assert.deepEqual(missing, [])
  assert.match(all, /id="getV1StatusesIdContext"/)
  // Each entity's page links to the others, which exist as well.
  const further = [...new Set(pages.flatMap(linksIn))].filter(path => !links.includes(path))
  assert.deepEqual(further, [])
})

test('an unknown group or entity is a 404, and the page is in the language of the visitor', async () => {
  const client = await open()
  for (const query of [{ group: 'nothing' }, { entity: 'toString' }]) {
    const { status, headers } = await client.get('/api', query, { accept: 'text/html' })
    assert.equal(status, 404)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
  }
  const german = await client.get('/api', {}, { 'accept-language': 'de' })
  assert.match(german.text, /<html lang="de"/)
  assert.match(german.text, /Entitäten/)
})
