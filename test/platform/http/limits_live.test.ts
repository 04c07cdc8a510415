import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Client, type ClientResponse } from '../../support/client.ts'
import { PASSWORD } from '../../support/oauth.ts'
import { person } from '../../support/people.ts'
import { signedIn } from '../../support/signed_in.ts'
import { startServer } from '../../support/server.ts'

const APPLICATION = { client_name: 'Tapir', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }
const ISO_WITH_MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** The limit, its remainder, and the end of its window in a response. */
function limitOf({ headers }: ClientResponse): { limit: number; remaining: number; reset: string } {
  return {
    limit: Number(headers.get('x-ratelimit-limit')),
    remaining: Number(headers.get('x-ratelimit-remaining')),
    reset: headers.get('x-ratelimit-reset') ?? '',
  }
}

const startLimited = (t: Test, oneProcess?: string) =>
  startServer(t, { env: { RATE_LIMITS: 'on' }, ...(oneProcess !== undefined && { oneProcess }) })

/**
 * Registers applications until one is refused. Windows are aligned to the clock, so one may end in
 * between: then it begins again.
 */
async function exhaust(client: Client): Promise<ClientResponse[]> {
  const answers: ClientResponse[] = []
  for (let tries = 0; tries < 12; tries += 1) {
    const response = await client.post('/api/v1/apps', APPLICATION)
    answers.push(response)
    if (response.status === 429) return answers
  }
  throw new Error(`never refused: ${answers.map(response => response.status).join(' ')}`)
}

test('the sixth application of a window is refused, other requests are not', async t => {
  const server = await startLimited(t)
  const client = new Client(server)
  const answers = await exhaust(client)
  const refused = answers.at(-1)
  assert.ok(refused)
  const { reset } = limitOf(refused)
  const inWindow = answers.filter(response => limitOf(response).reset === reset)
  assert.deepEqual(
    inWindow.map(response => [response.status, limitOf(response).limit, limitOf(response).remaining]),
    [
      [200, 5, 4],
      [200, 5, 3],
      [200, 5, 2],
      [200, 5, 1],
      [200, 5, 0],
      [429, 5, 0],
    ],
  )
  assert.deepEqual(refused.json, { error: 'Too many requests' })
  assert.match(refused.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(reset, ISO_WITH_MICROSECONDS)
  assert.equal(Date.parse(reset) % 600_000, 0, 'the window ends on a whole ten minutes')
  assert.equal((await client.get('/api/v1/instance/rules')).status, 200)
})

test('API responses report the limit, by user and by address, and it counts down', async t => {
  const server = await startLimited(t, 'processes tell each other what they counted once a second')
  const alice = await person(server, 'alice')
  const answers = [await alice.get('/api/v1/preferences'), await alice.get('/api/v1/preferences')]
  const [first, second] = answers.map(limitOf)
  assert.ok(first && second)
  // The token's limit is tighter than the user's (1500).
  assert.equal(first.limit, 300)
  assert.match(first.reset, ISO_WITH_MICROSECONDS)
  if (first.reset === second.reset) assert.equal(second.remaining, first.remaining - 1)
  const anonymous = limitOf(await new Client(server).get('/api/v2/instance'))
  assert.equal(anonymous.limit, 300)
  assert.ok(anonymous.remaining < 300)
})

test('a status counts against the budget of its author, and its response reports that', async t => {
  const server = await startLimited(t)
  const alice = await person(server, 'alice')
  const response = await alice.post('/api/v1/statuses', { status: 'one' })
  const { limit, remaining, reset } = limitOf(response)
  assert.deepEqual([response.status, limit, remaining], [200, 300, 299])
  assert.equal(Date.parse(reset) % 10_800_000, 0, 'the window of the budget is three hours')
})

test('pages of any operation are limited', async t => {
  const server = await startLimited(t, 'each process counts for itself')
  const client = new Client(server)
  const ask = (method = 'GET'): Promise<ClientResponse> =>
    client.request(method, '/oauth/userinfo', { query: { page: '1' } })
  let response = await ask()
  // A window allows 300, and there may be two windows.
  for (let times = 0; response.status !== 429 && times < 600; times += 1) response = await ask()
  assert.deepEqual([response.status, response.json], [429, { error: 'Too many requests' }])
  const posted = await ask('POST')
  assert.deepEqual([posted.status, posted.json], [429, { error: 'Too many requests' }])
})

test('with limits off no response reports any', async t => {
  const server = await startServer(t)
  const { headers } = await new Client(server).get('/api/v2/instance')
  assert.equal(headers.get('x-ratelimit-limit'), null)
})

test('a form with _method counts as that method', async t => {
  const server = await startLimited(t)
  const client = new Client(server)
  const send = async (method?: string): Promise<number> =>
    (await client.post('/auth/password', new URLSearchParams(method === undefined ? {} : { _method: method }))).status
  const changes: number[] = []
  for (let times = 0; times < 60; times += 1) changes.push(await send('put'))
  assert.ok(!changes.includes(429), 'a reset that is finished is none that is asked for')
  const requests: number[] = []
  for (let times = 0; times < 60; times += 1) requests.push(await send())
  assert.ok(requests.includes(429))
})

test('changes of the own password and address count for the user who is signed in', async t => {
  const server = await startLimited(t)
  const { browser, person: owner } = await signedIn(t, 'owner', { server })
  const page = await browser.get('/auth/edit')
  const change = async (at: number): Promise<number> => {
    const fields = { 'user[email]': `${at}-${owner.email}`, 'user[current_password]': PASSWORD }
    return (await browser.submit(page, '/auth', fields, 'put')).status
  }
  const statuses: number[] = []
  // A window allows 10, and there may be two windows.
  while (statuses.length < 21) statuses.push(await change(statuses.length))
  assert.deepEqual(statuses.slice(0, 10), Array<number>(10).fill(302))
  assert.ok(statuses.includes(429), String(statuses))
  const other = await signedIn(t, 'other', { server })
  const form = await other.browser.get('/auth/edit')
  const fields = { 'user[email]': `new-${other.person.email}`, 'user[current_password]': PASSWORD }
  assert.equal((await other.browser.submit(form, '/auth', fields, 'put')).status, 302)
})

test('a form counts as the operation that runs, whatever method it names', async t => {
  const server = await startLimited(t)
  // A window allows 25, and there may be two windows.
  const forms: [
    path: string,
    method: string,
    name: (method: string) => [query: string, body: Record<string, string>],
  ][] = [
    ['/auth/sign_in', 'delete', method => ['', { _method: method }]],
    ['/auth/sign_in', 'PATCH', method => [`?_method=${method}`, {}]],
    ['/auth/password', 'delete', method => ['', { _method: method }]],
    ['/auth/confirmation', 'put', method => [`?_method=${method}`, {}]],
  ]
  for (const [index, [path, method, name]] of forms.entries()) {
    const [query, body] = name(method)
    const from = { 'x-forwarded-for': `203.0.113.${index}` }
    const statuses = new Set<number>()
    for (let times = 0; times < 60; times += 1) {
      statuses.add((await new Client(server).post(path + query, new URLSearchParams(body), from)).status)
    }
    assert.ok(statuses.has(429), `${path} as ${method}: ${[...statuses].join(' ')}`)
  }
})

test('a window allows five e-mails to an address, whatever method the form names', async t => {
  const server = await startLimited(t)
  for (const path of ['/auth/password', '/auth/confirmation']) {
    const statuses = new Set<number>()
    for (let times = 0; times < 12; times += 1) {
      const form = new URLSearchParams({ 'user[email]': 'somebody@example.com', _method: 'delete' })
      const from = { 'x-forwarded-for': `198.51.100.${times}` }
      statuses.add((await new Client(server).post(path, form, from)).status)
    }
    assert.ok(statuses.has(429), `${path}: ${[...statuses].join(' ')}`)
  }
})
