import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Client } from '../support/client.ts'
import { makeToken, person, sql, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

const URL_OF_NEWS = 'https://news.example/access'
const TIMELINES = {
  live: ['/api/v1/timelines/public?'],
  topic: ['/api/v1/timelines/tag/access?', `/api/v1/timelines/link?url=${encodeURIComponent(URL_OF_NEWS)}&`],
}
type Kind = keyof typeof TIMELINES
const KINDS: readonly Kind[] = ['live', 'topic']

interface Place {
  readonly server: TestServer
  readonly author: Person
  /** One status of this server and one of another, both with the hashtag and the link. */
  readonly near: string
  readonly far: string
}

async function makePlace(t: Test): Promise<Place> {
  const server = await startServer(t)
  const discoverable = { account: { discoverable: true } }
  const [author, remote] = [await person(server, 'author', discoverable), await person(server, 'remote', discoverable)]
  const [near, far] = [await author.postStatus('near #access'), await remote.postStatus('far #access')]
  await sql(
    server,
    `update accounts set domain = 'far.example', uri = 'https://far.example/users/' || id where id = $1`,
    [remote.id],
  )
  await sql(server, 'update statuses set local = false where id = $1', [far.id])
  await sql(
    server,
    `with card as (insert into preview_cards (url, type, title, trendable) values ($1, 'link', 'News', true) returning id),
     trend as (insert into link_trends (preview_card_id, peak, peaked_at, score) select card.id, 9, now(), 9 from card)
     insert into preview_cards_statuses (status_id, preview_card_id, url) select unnest($2::bigint[]), card.id, $1 from card`,
    [URL_OF_NEWS, [near.id, far.id]],
  )
  return { server, author, near: near.id, far: far.id }
}

/** Another server process on the same database, started with one setting. */
async function withSetting(t: Test, { server }: Place, key: string, value: string): Promise<TestServer> {
  await sql(server, 'delete from settings')
  await sql(server, 'insert into settings (key, value) values ($1, $2)', [key, JSON.stringify(value)])
  return startServer(t, { databaseUrl: server.databaseUrl })
}

/** The ids in the response, or the status of an error. */
async function read(client: Client, path: string): Promise<string[] | number> {
  const { status, json } = await client.get(path)
  if (status === 200) return (json as { id: string }[]).map(({ id }) => id)
  assert.deepEqual(json, { error: 'This method requires an authenticated user' }, path)
  return status
}

test('each feed access setting closes its part of its timelines to viewers without access', async t => {
  const place = await makePlace(t)
  const { author, near, far } = place
  const owner = await person(place.server, 'owner', { roleId: 3 })
  const app = await makeToken(place.server, null)
  for (const part of ['local', 'remote'] as const)
    for (const kind of KINDS)
      for (const value of kind === 'topic' && part === 'local' ? ['authenticated'] : ['authenticated', 'disabled']) {
        const key = `${part}_${kind}_feed_access`
        const server = await withSetting(t, place, key, value)
        const [anonymous, application] = [new Client(server), new Client(server, app)]
        const [member, admin] = [new Client(server, author.token), new Client(server, owner.token)]
        const all = { '': [far, near], local: [near], remote: [far] }
        for (const [asked, ids] of Object.entries(all))
          for (const one of KINDS)
            for (const timeline of TIMELINES[one]) {
              const path = `${timeline}${asked === '' ? '' : `${asked}=true`}`
              const concerned = one === kind && (asked === '' || asked === part)
              const where = `${key} ${value}: ${path}`
              const closed = concerned ? 422 : ids
              assert.deepEqual(await read(anonymous, path), closed, `anybody, ${where}`)
              assert.deepEqual(await read(application, path), closed, `an application, ${where}`)
              const hidden = part === 'local' ? near : far
              const left = concerned && value === 'disabled' ? ids.filter(id => id !== hidden) : ids
              assert.deepEqual(await read(member, path), left, `a member, ${where}`)
              assert.deepEqual(await read(admin, path), ids, `an owner, ${where}`)
            }
      }
})

test('chosen languages apply to the public timeline and that of a link only', async t => {
  const { server, author, near } = await makePlace(t)
  const reader = await person(server, 'reader', { user: { chosen_languages: ['de', 'fr'] } })
  await reader.follow(author)
  const { id: list } = (await reader.post('/api/v1/lists', { title: 'x' })).json as { id: string }
  await reader.post(`/api/v1/lists/${list}/accounts`, { account_ids: [author.id] })
  const german = await author.postStatus('nah #access', { language: 'de' })
  const nameless = await author.postStatus('in no language #access')
  await sql(server, 'update statuses set language = null where id = $1', [nameless.id])
  await sql(server, 'update statuses set local = true')
  await sql(
    server,
    `insert into preview_cards_statuses (status_id, preview_card_id, url) select unnest($1::bigint[]), p.id, p.url from preview_cards p`,
    [[german.id, nameless.id]],
  )
  const chosen = [german.id]
  const own = [nameless.id, german.id, near]
  const expected: [string, string[]][] = [
    ...['/api/v1/timelines/public?local=true', TIMELINES.topic[1] ?? ''].map((path): [string, string[]] => [
      path,
      chosen,
    ]),
    ['/api/v1/timelines/home', own],
    [`/api/v1/timelines/list/${list}`, own],
    [`/api/v1/accounts/${author.id}/statuses`, own],
  ]
  for (const [path, ids] of expected) assert.deepEqual(await read(reader, path), ids, path)
  const tagged = await read(reader, '/api/v1/timelines/tag/access')
  assert.ok(Array.isArray(tagged) && own.every(id => tagged.includes(id)))
})
