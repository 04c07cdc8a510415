import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, people, person, sql, waitForEventLog } from '../../support/people.ts'

const brief = ({ status, json }: ClientResponse): unknown[] => [status, json]
const error = (status: number, text: string): unknown[] => [status, { error: text }]

const PATH = '/api/v1/announcements'
const OUTSIDE = error(403, 'This action is outside the authorized scopes')
const MISSING = error(404, 'Record not found')

test('announcements, dismissals and reactions need a user and their scopes', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const ctl = await createCommandLine(t, server.databaseUrl)
  const id = /\d+/.exec(await ctl.ok('announcements', 'create', 'Hello'))?.[0] ?? ''
  const draft = /\d+/.exec(await ctl.ok('announcements', 'create', 'Later', '--draft'))?.[0] ?? ''
  const withScopes = async (...scopes: string[]): Promise<Client> =>
    new Client(server, await makeToken(server, alice.userId, scopes))
  const app = new Client(server, await makeToken(server, null))
  const userRequired = error(422, 'This method requires an authenticated user')
  assert.deepEqual(brief(await anonymous.get(PATH)), userRequired)
  assert.deepEqual(brief(await app.get(PATH)), userRequired)
  assert.equal((await (await withScopes('push')).get(PATH)).status, 200, 'reading needs no scope')
  for (const [user, text] of [
    [{ confirmed_at: null }, 'missing a confirmed e-mail address'],
    [{ approved: false }, 'currently pending approval'],
    [{ disabled: true }, 'currently disabled'],
  ] as const) {
    const refused = await person(server, 'refused', { user })
    const expected = error(403, `Your login is ${text}`)
    const answers = [refused.get(PATH), refused.post(`${PATH}/${id}/dismiss`), refused.put(`${PATH}/${id}/reactions/x`)]
    for (const response of await Promise.all(answers)) assert.deepEqual(brief(response), expected)
  }
  const reaction = `reactions/${encodeURIComponent('👍')}`
  for (const [method, below, scope] of [
    ['POST', 'dismiss', 'write:accounts'],
    ['PUT', reaction, 'write:favourites'],
    ['DELETE', reaction, 'write:favourites'],
    ['PATCH', reaction, 'write'],
  ] as const) {
    const at = `${PATH}/${id}/${below}`
    assert.deepEqual(brief(await anonymous.request(method, at)), error(401, 'The access token is invalid'), at)
    assert.deepEqual(brief(await app.request(method, at)), userRequired, at)
    assert.deepEqual(brief(await (await withScopes('read', 'write:lists')).request(method, at)), OUTSIDE, at)
    const allowed = await withScopes(scope)
    assert.deepEqual(brief(await allowed.request(method, at)), [200, {}], `${method} ${at}`)
    for (const wrong of [draft, '999999', 'x']) {
      assert.deepEqual(brief(await allowed.request(method, `${PATH}/${wrong}/${below}`)), MISSING, wrong)
    }
  }
})

test('reactions accept enabled custom emojis of this server and are removed with the emoji', async t => {
  const { alice, server } = await people(t, 'alice')
  const ctl = await createCommandLine(t, server.databaseUrl)
  const id = /\d+/.exec(await ctl.ok('announcements', 'create', 'Hello'))?.[0] ?? ''
  const image = JSON.stringify({ key: 'e/a.png', static_key: 'e/a.png' })
  for (const [shortcode, domain, disabled] of [
    ['wave', null, false],
    ['off', null, true],
    ['far', 'far.example', false],
  ]) {
    await sql(server, 'insert into custom_emojis (shortcode, domain, disabled, image) values ($1, $2, $3, $4)', [
      shortcode,
      domain,
      disabled,
      image,
    ])
  }
  const react = async (name: string): Promise<unknown[]> =>
    brief(await alice.put(`${PATH}/${id}/reactions/${encodeURIComponent(name)}`))
  const unknown = error(422, 'Validation failed: Name is not a recognized emoji')
  for (const name of ['off', 'far', 'none', ':wave:', 'a', '👍👍']) assert.deepEqual(await react(name), unknown, name)
  const stream = await alice.stream('user')
  assert.deepEqual(await react('wave'), [200, {}])
  const url = `${server.url}/media/e/a.png`
  assert.deepEqual((await stream.next('announcement.reaction')).payload, {
    name: 'wave',
    count: 1,
    announcement_id: id,
    url,
    static_url: url,
  })
  assert.deepEqual(await react('wave'), error(422, 'Duplicate record'))
  // A flag, a family, a keycap and a skin tone are one emoji each.
  for (const name of ['🏳️‍🌈', '👩‍👩‍👧‍👦', '1️⃣', '👍🏽']) assert.deepEqual(await react(name), [200, {}], name)
  await alice.delete(`${PATH}/${id}/reactions/wave`)
  const nextReaction = async (): Promise<{ name: string; count: number }> =>
    (await stream.next('announcement.reaction')).payload as { name: string; count: number }
  let last = await nextReaction()
  while (last.name !== 'wave') last = await nextReaction()
  assert.equal(last.count, 0)
  assert.deepEqual(await react('wave'), [200, {}])
  await sql(
    server,
    `with deleted as (delete from custom_emojis where shortcode = 'wave' returning id)
     insert into events (kind, object_id) select 'emojis.changed', deleted.id from deleted`,
  )
  await waitForEventLog(alice)
  const [shown] = (await alice.get(PATH)).json as { reactions: { name: string }[] }[]
  assert.equal(
    shown?.reactions.some(({ name }) => name === 'wave'),
    false,
  )
})

test('an announcement shows the linked statuses that are public and visible to the viewer', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const ctl = await createCommandLine(t, server.databaseUrl)
  const open = await bob.postStatus('open')
  const unlisted = await bob.postStatus('unlisted', { visibility: 'unlisted' })
  const closed = await alice.postStatus('own', { visibility: 'private' })
  const links = [open, unlisted, closed].map(({ url }) => String(url)).join(' ')
  const id = /\d+/.exec(await ctl.ok('announcements', 'create', `See ${links} by @${bob.username}`))?.[0] ?? ''
  await waitForEventLog(alice)
  const statusesOf = async (): Promise<unknown[]> => {
    const all = (await alice.get(PATH)).json as { id: string; statuses: { id: string; favourited?: boolean }[] }[]
    return (all.find(one => one.id === id)?.statuses ?? []).map(one => [one.id, one.favourited])
  }
  await alice.post(`/api/v1/statuses/${open.id}/favourite`)
  assert.deepEqual(await statusesOf(), [
    [open.id, true],
    [unlisted.id, false],
  ])
  await bob.delete(`/api/v1/statuses/${unlisted.id}`)
  assert.deepEqual(await statusesOf(), [[open.id, true]])
  await bob.post(`/api/v1/accounts/${alice.id}/block`)
  assert.deepEqual(await statusesOf(), [])
  const mentionsOf = async (): Promise<unknown[]> =>
    ((await alice.get(PATH)).json as { id: string; mentions: { id: string }[] }[])
      .filter(one => one.id === id)
      .flatMap(({ mentions }) => mentions.map(mention => mention.id))
  assert.deepEqual(await mentionsOf(), [bob.id])
  await ctl.ok('moderation', 'act', bob.username, 'suspend', '--no-notify')
  await waitForEventLog(alice)
  assert.deepEqual(await mentionsOf(), [])
})

test('the domain of a mentioned account is shown in Unicode, as everywhere', async t => {
  const { alice, server } = await people(t, 'alice')
  const [far] = await sql(
    server,
    `insert into accounts (username, domain, uri) values ('far_' || snowflake(), 'xn--bcher-kva.example', 'https://xn--bcher-kva.example/' || snowflake())
     returning username`,
  )
  const name = String(far?.['username'])
  const ctl = await createCommandLine(t, server.databaseUrl)
  const id = /\d+/.exec(await ctl.ok('announcements', 'create', `Read @${name}@xn--bcher-kva.example`))?.[0] ?? ''
  await waitForEventLog(alice)
  const all = (await alice.get(PATH)).json as { id: string; mentions: { acct: string }[] }[]
  assert.deepEqual(
    all.find(one => one.id === id)?.mentions.map(({ acct }) => acct),
    [`${name}@bücher.example`],
  )
})
