import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test, type Test } from 'tap'
import { seedOf } from '../../../src/instance/donation_campaigns/provider.ts'
import { Client } from '../../support/client.ts'
import { makeToken, people, person } from '../../support/people.ts'
import { requestFromEach, PROCESSES } from '../../support/processes.ts'
import { startServer } from '../../support/server.ts'

/** Of the provider, which decides on spaces too. */
const CAMPAIGN =
  '{"id": "spring",  "amounts": {}, "banner_message": "Tea", "banner_button_text": "Give", "donation_message": "Tea", ' +
  '"donation_button_text": "Give", "donation_success_post": "I gave", "default_currency": "EUR", ' +
  '"donation_url": "https://give.example/", "locale": "fr"}'

const PATH = '/api/v1/donation_campaigns'

interface Provider {
  readonly url: string
  /** The query of each request. */
  readonly requests: URLSearchParams[]
  answer: { status: number; body: string }
}

async function startProvider(t: Test): Promise<Provider> {
  const requests: URLSearchParams[] = []
  const answer = { status: 200, body: CAMPAIGN }
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://provider').searchParams)
    response.writeHead(provider.answer.status).end(provider.answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const provider: Provider = { url: `http://127.0.0.1:${address.port}/campaigns`, requests, answer }
  return provider
}

test('a server without a provider has no campaign', async t => {
  const { server, alice, anonymous } = await people(t, 'alice')
  const answer = await alice.get(PATH)
  assert.deepEqual([answer.status, answer.text], [204, ''])
  const error = 'This method requires an authenticated user'
  for (const nobody of [anonymous, new Client(server, await makeToken(server, null))]) {
    const refused = await nobody.get(PATH)
    assert.deepEqual([refused.status, refused.json], [422, { error }])
  }
})

test('a campaign is returned unchanged in the locale of the user, and cached', async t => {
  const provider = await startProvider(t)
  const server = await startServer(t, { env: { DONATION_URL: provider.url, DONATION_ENVIRONMENT: 'staging' } })
  const alice = await person(server, 'alice', { user: { locale: 'fr' } })
  for (let times = 0; times < 2; times++) {
    const answer = await requestFromEach(() => alice.get(PATH))
    assert.deepEqual([answer.status, answer.text], [200, CAMPAIGN])
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  }
  assert.equal((await requestFromEach(() => alice.get(PATH, { lang: 'de' }))).status, 200)
  const seed = String(seedOf(alice.id))
  assert.deepEqual(
    provider.requests.map(query => Object.fromEntries(query)),
    ['fr', 'de']
      .flatMap(locale => Array.from({ length: PROCESSES }, () => locale))
      .map(locale => ({ platform: 'web', seed, locale, environment: 'staging' })),
  )
})

test('an invalid or failed response of the provider means no campaign', async t => {
  const provider = await startProvider(t)
  const server = await startServer(t, { env: { DONATION_URL: provider.url } })
  const alice = await person(server, 'alice')
  const answers = [
    { status: 204, body: '' },
    { status: 200, body: '<p>soon</p>' },
    { status: 200, body: '[]' },
    { status: 500, body: '{}' },
  ]
  for (const [index, answer] of answers.entries()) {
    provider.answer = answer
    assert.equal((await alice.get(PATH, { lang: `x${index}` })).status, 204)
  }
  const lonely = await startServer(t, { env: { DONATION_URL: 'http://127.0.0.1:1/' } })
  assert.equal((await (await person(lonely, 'bob')).get(PATH)).status, 204)
})

test('seeds are stable integers from 0 to 99', async () => {
  const seeds = Array.from({ length: 500 }, (_, index) => seedOf(String(index + 1)))
  assert.ok(seeds.every(seed => Number.isInteger(seed) && seed >= 0 && seed < 100))
  assert.ok(new Set(seeds).size > 90)
  assert.equal(seedOf('1'), seeds[0])
})

test('a campaign is kept for an hour', async t => {
  const provider = await startProvider(t)
  const server = await startServer(t, {
    env: { DONATION_URL: provider.url },
    oneProcess: 'it counts the requests of one process',
  })
  const alice = await person(server, 'alice')
  let later = 0
  const now = performance.now.bind(performance)
  t.intercept(performance, 'now', { value: () => now() + later })
  for (const [minutes, asked] of [
    [0, 1],
    [59, 1],
    [61, 2],
  ] as const) {
    later = minutes * 60_000
    const answer = await alice.get(PATH)
    assert.deepEqual([answer.status, answer.text], [200, CAMPAIGN])
    assert.equal(provider.requests.length, asked, `after ${minutes} minutes`)
  }
})
