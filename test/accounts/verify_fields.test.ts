import assert from 'node:assert/strict'
import { test } from 'tap'
import { linksBack, readIdentities } from '../../src/accounts/backlink.ts'
import { verifyFields } from '../../src/accounts/verify_fields.ts'
import { openDatabase } from '../../src/platform/database/index.ts'
import { OutgoingFailure, type Outgoing } from '../../src/platform/http_client/index.ts'
import type { Services } from '../../src/platform/services.ts'
import { people, sql } from '../support/people.ts'

/** Serves pages by URL; any other URL is unreachable. */
const web = (pages: Readonly<Record<string, string>>): Outgoing => ({
  request(url) {
    const page = pages[url]
    if (page === undefined) return Promise.reject(new OutgoingFailure('unreachable', url))
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(page), complete: true })
  },
  close: () => Promise.resolve(),
})

const SIGNAL = new AbortController().signal

test('rel="me" links are found in all forms of markup', async () => {
  const html = `<html><head><link href="/one" rel="ME"><link rel=stylesheet href=x></head>
    <body><a rel="nofollow me noopener" href="https://two.example/@a">x</a><a rel="men" href="https://three.example/">y</a><a rel=me href="http://">`
  assert.deepEqual(
    readIdentities(html, 'https://page.example/a'),
    new Set(['https://page.example/one', 'https://two.example/@a']),
  )
})

test('a page links back only to the same profile, in any case of its name', async () => {
  const outgoing = web({ 'https://a.example/': '<a rel="me" href="https://here.example/@ALICE">me</a>' })
  assert.equal(await linksBack(outgoing, 'https://a.example/', 'https://here.example/@alice', SIGNAL), true)
  assert.equal(await linksBack(outgoing, 'https://a.example/', 'https://here.example/@bob', SIGNAL), false)
})

/* The server itself requests these URLs too, so no resolver may know the names. */
test('fields whose pages link back are verified, the others are retried', async t => {
  const { alice, server } = await people(t, 'alice')
  const fields = [
    { name: 'Mine', value: 'https://mine.xn--nowhere/' },
    { name: 'Theirs', value: 'https://theirs.xn--nowhere/' },
    { name: 'Text', value: 'see https://mine.xn--nowhere/' },
    { name: 'Away', value: 'https://away.xn--nowhere/' },
  ]
  await alice.patch('/api/v1/profile', { fields_attributes: fields })
  const [queued] = await sql(
    server,
    `select count(*)::integer as amount from graphile_worker.jobs where task_identifier = 'accounts.verify_fields'`,
  )
  assert.equal(queued?.['amount'], 1)
  const database = openDatabase({ connection: { connectionString: server.databaseUrl }, poolSize: 1 })
  t.after(() => database.close())
  const outgoing = web({
    'https://mine.xn--nowhere/': `<link rel="me" href="${server.url}/@${alice.username}">`,
    'https://theirs.xn--nowhere/': `<link rel="me" href="${server.url}/@somebody">`,
  })
  const services = { database, outgoing, config: server.config } as unknown as Services
  const run = { attempt: 1, lastAttempt: false, enqueuedAt: new Date(), signal: SIGNAL }
  await assert.rejects(verifyFields.perform({ account: alice.id }, services, run), OutgoingFailure)
  const shown = async (): Promise<(string | null)[]> => {
    const { json } = await alice.get('/api/v1/profile')
    return (json as { fields: { verified_at: string | null }[] }).fields.map(field => field.verified_at)
  }
  let verified = await shown()
  // The event was committed by another process, so the server applies it a little later.
  for (let tries = 0; verified[0] === null && tries < 500; tries += 1) verified = await shown()
  assert.match(verified[0] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  assert.deepEqual(verified.slice(1), [null, null, null])
  const [first] = verified
  await verifyFields.perform({ account: alice.id }, services, { ...run, lastAttempt: true })
  await alice.patch('/api/v1/profile', {
    fields_attributes: [fields[0], { name: 'Mine too', value: 'https://new.xn--nowhere/' }],
  })
  verified = await shown()
  assert.deepEqual(verified, [first, null], 'an unchanged field stays verified')
})
