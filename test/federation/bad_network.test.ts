import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { test, type Test } from 'tap'
import { makeCertificates, noCertificates, type Certificates } from '../support/certificates.ts'
import { startBadNetwork, type Losses } from '../support/federation/bad_network.ts'
import { person, sql, type Person } from '../support/people.ts'
import { freePort } from '../support/port.ts'
import { startServer, type TestServer } from '../support/server.ts'

/* Servers of ours behind TLS, between which deliveries are lost, delayed and doubled. */

type Entity = Record<string, unknown> & { id: string }

interface Side {
  readonly server: TestServer
  readonly who: Person
  readonly acct: string
  readonly losses: Losses
}

/** A server that others reach by TLS through the bad network; its people reach it directly. */
async function startSide(t: Test, name: string, certificates: Certificates): Promise<Side> {
  const [inner, outer] = [await freePort(), await freePort()]
  const publicUrl = `https://localhost:${outer}`
  const started = await startServer(t, { env: { PORT: String(inner), PUBLIC_URL: publicUrl } })
  const server = { ...started, url: `http://127.0.0.1:${inner}` }
  const losses = await startBadNetwork(t, certificates, outer, inner)
  const who = await person(server, name)
  t.after(() => who.close())
  return { server, who, acct: `${who.username}@${started.config.localDomain}`, losses }
}

const WAITING = `
  select (select count(*) from graphile_worker.jobs j where j.task_identifier like 'federation.%' and j.attempts < j.max_attempts)
    + (select count(*) from received_activities) as amount`
/** What was put off is tried at once, in the order in which it would be. */
const HURRY = `
  with due as (
    select j.id from graphile_worker.reschedule_jobs(
      array(select j.id from graphile_worker.jobs j where j.task_identifier like 'federation.%' and j.run_at > now()), run_at => now()
    ) j
  )
  select pg_notify('jobs:insert', json_build_object('count', count(*), 'r', random())::text) from due having count(*) > 0`

/** Waits until nothing is under way between the servers any more. */
async function settle(...sides: readonly Side[]): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    let amount = 0
    for (const { server } of sides) {
      await sql(server, HURRY)
      amount += Number((await sql(server, WAITING))[0]?.['amount'])
    }
    quiet = amount === 0 ? quiet + 1 : 0
  }
}

async function find({ who }: Side, other: Side): Promise<Entity> {
  const response = await who.get('/api/v2/search', { q: `@${other.acct}`, resolve: 'true', type: 'accounts' })
  assert.equal(response.status, 200, response.text)
  const [account] = (response.json as { accounts: Entity[] }).accounts
  assert.ok(account, 'the other server was asked')
  return account
}

const statusesOf = async ({ who }: Side, account: Entity): Promise<Entity[]> =>
  (await who.get(`/api/v1/accounts/${account.id}/statuses`)).json as Entity[]

const byUri = (statuses: readonly Entity[], uri: unknown): Entity => {
  const [found, ...others] = statuses.filter(status => status['uri'] === uri)
  assert.ok(found, 'it arrived')
  assert.deepEqual(others, [], 'once')
  return found
}

const relation = async ({ who }: Side, { id }: Entity): Promise<Record<string, unknown>> =>
  ((await who.get('/api/v1/accounts/relationships', { id })).json as Record<string, unknown>[])[0] ?? {}

test('over TLS and a bad network nothing is lost, doubled or overtaken', { skip: noCertificates }, async t => {
  const certificates = makeCertificates(t)
  const known = getCACertificates()
  setDefaultCACertificates([...known, readFileSync(certificates.authority, 'utf8')])
  t.after(() => setDefaultCACertificates(known))
  const [here, there, third] = [
    await startSide(t, 'alice', certificates),
    await startSide(t, 'bob', certificates),
    await startSide(t, 'carol', certificates),
  ]
  const all = [here, there, third] as const
  const bob = await find(here, there)
  const alice = await find(there, here)
  const bobAtThird = await find(third, there)
  await here.who.post(`/api/v1/accounts/${bob.id}/follow`)
  await there.who.post(`/api/v1/accounts/${alice.id}/follow`)
  await third.who.post(`/api/v1/accounts/${bobAtThird.id}/follow`)
  await settle(...all)
  for (const [side, account] of [
    [here, bob],
    [there, alice],
    [third, bobAtThird],
  ] as const)
    assert.equal((await relation(side, account))['following'], true)

  // Each is edited at once, so that the Update could overtake the Create.
  const posts: Entity[] = []
  for (let number = 0; number < 6; number += 1) {
    const posted = await there.who.postStatus(`post ${number}`)
    await there.who.put(`/api/v1/statuses/${posted.id}`, { status: `post ${number}, edited` })
    posts.push(posted)
  }
  await settle(...all)
  for (const [side, account] of [
    [here, bob],
    [third, bobAtThird],
  ] as const) {
    const arrived = await statusesOf(side, account)
    assert.equal(arrived.length, posts.length)
    for (const [number, posted] of posts.entries())
      assert.match(String(byUri(arrived, posted['uri'])['content']), new RegExp(`post ${number}, edited`))
  }

  const [first, second, gone] = posts
  assert.ok(first && second && gone)
  const copies = await statusesOf(here, bob)
  await here.who.post(`/api/v1/statuses/${byUri(copies, first['uri']).id}/favourite`)
  await here.who.post(`/api/v1/statuses/${byUri(copies, first['uri']).id}/reblog`)
  const text = `@${there.acct} an answer`
  await here.who.postStatus(text, { in_reply_to_id: byUri(copies, second['uri']).id })
  await there.who.delete(`/api/v1/statuses/${gone.id}`)
  await settle(...all)
  const counted = (await there.who.get(`/api/v1/statuses/${first.id}`)).json as Entity
  assert.deepEqual([counted['favourites_count'], counted['reblogs_count']], [1, 1])
  const answered = (await there.who.get(`/api/v1/statuses/${second.id}`)).json as Entity
  assert.equal(answered['replies_count'], 1)
  for (const [side, account] of [
    [here, bob],
    [third, bobAtThird],
  ] as const)
    assert.equal((await statusesOf(side, account)).filter(({ uri }) => uri === gone['uri']).length, 0, 'deleted')

  await here.who.post(`/api/v1/statuses/${byUri(copies, first['uri']).id}/unfavourite`)
  await there.who.post(`/api/v1/accounts/${alice.id}/block`)
  await settle(...all)
  const after = (await there.who.get(`/api/v1/statuses/${first.id}`)).json as Entity
  assert.equal(after['favourites_count'], 0)
  assert.equal((await relation(here, bob))['following'], false, 'a block ends the follow')
  const lost = all.map(({ losses }) => losses)
  t.comment(JSON.stringify(lost))
  assert.ok(
    lost.some(({ dropped }) => dropped > 2),
    'the network was bad',
  )
})
