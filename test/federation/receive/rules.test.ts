import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { localUri, PUBLIC, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { runScheduled, waitForJobs } from '../federation_fixtures.ts'
import { deliver, findAccountId, followActor, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

test('nobody opens the note of another author on the same server to a local account', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), peer.actor('eve')]
  await followActor(server, alice, bob)
  const socket = await alice.stream('user')
  const note = bob.note('secret', { to: [bob.followers], cc: [] })
  await bob.send(server, bob.create(note))
  const { payload } = await socket.next('update')
  const seen = async (): Promise<number> => (await carol.get(`/api/v1/statuses/${entity(payload).id}`)).status
  assert.equal(await seen(), 404)
  const claimed = { ...note, attributedTo: eve.uri }
  const inbox = `/ap/users/${carol.id}/inbox`
  for (const one of [
    claimed,
    { ...claimed, attributedTo: undefined },
    { ...claimed, attributedTo: [bob.uri, eve.uri] },
  ])
    assert.equal(await eve.send(server, eve.create(one), inbox), 202)
  await waitUntilProcessed(server, alice, eve)
  assert.equal(await seen(), 404)
  await bob.send(server, bob.create(note), inbox)
  await waitUntilProcessed(server, alice, bob)
  assert.equal(await seen(), 200, 'its author may')
})

test('what is undone before it arrives has no effect', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const me = localUri(server, alice.id)
  const status = await alice.postStatus('popular')
  const object = `${me}/statuses/${status.id}`
  await waitUntilProcessed(server, alice, bob)
  const early = [
    bob.activity('Like', object),
    bob.activity('Announce', object, { to: [PUBLIC] }),
    bob.activity('Follow', me),
    bob.activity('Block', me),
  ]
  for (const [at, one] of early.entries()) await bob.send(server, bob.activity('Undo', at % 2 === 0 ? one.id : one))
  for (const one of early) await bob.send(server, one)
  await waitUntilProcessed(server, alice, bob)
  const account = await findAccountId(server, bob)
  const counts = async () => {
    const { favourites_count: likes, reblogs_count: boosts } = entity(
      (await alice.get(`/api/v1/statuses/${status.id}`)).json,
    )
    const [relation] = entities((await alice.get('/api/v1/accounts/relationships', { id: account })).json)
    return [likes, boosts, relation?.['followed_by'], relation?.['blocked_by']]
  }
  assert.deepEqual(await counts(), [0, 0, false, false])
  const again = [
    bob.activity('Like', object),
    bob.activity('Announce', object, { to: [PUBLIC] }),
    bob.activity('Follow', me),
  ]
  for (const one of [...again, ...again, bob.activity('Announce', object, { to: [PUBLIC] })])
    await bob.send(server, one)
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await counts(), [1, 1, true, false])
  for (const one of again) await bob.send(server, bob.activity('Undo', one.id))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await counts(), [0, 0, false, false])
})

test('a boost counts if it is relevant here, and never of what others have not published', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol, eve] = [peer.actor('bob'), other.actor('carol'), peer.actor('eve')]
  const note = other.serve(carol.note('unknown here'))
  await eve.send(server, eve.activity('Announce', note.id, { to: [PUBLIC] }))
  await waitUntilProcessed(server, alice, eve)
  assert.deepEqual(
    other.asked.filter(path => note.id.endsWith(path)),
    [],
    'nobody here follows eve',
  )
  await followActor(server, alice, bob)
  const hidden = other.serve(carol.note('for followers', { to: [carol.followers], cc: [] }))
  const own = await alice.postStatus('mine', { visibility: 'private' })
  for (const object of [hidden.id, `${localUri(server, alice.id)}/statuses/${own.id}`])
    await bob.send(server, bob.activity('Announce', object, { to: [PUBLIC] }))
  // To one person alone.
  const published = other.serve(carol.note('for everybody'))
  await bob.send(server, bob.activity('Announce', published.id, { to: [localUri(server, alice.id)] }))
  await waitUntilProcessed(server, alice, bob)
  const account = await findAccountId(server, bob)
  const boosts = 'select from statuses where account_id = $1 and reblog_of_id is not null'
  assert.deepEqual(await sql(server, boosts, [account]), [])
})

test('a vote after the end is neither a vote nor a post', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const status = await alice.postStatus('drinks?', { poll: { options: ['tea', 'milk'], expires_in: 3600 } })
  await sql(server, 'update polls set expires_at = now() where status_id = $1', [status.id])
  const inReplyTo = `${localUri(server, alice.id)}/statuses/${status.id}`
  const vote: Document = {
    id: bob.newUri('votes'),
    type: 'Note',
    name: 'tea',
    inReplyTo,
    attributedTo: bob.uri,
    to: localUri(server, alice.id),
  }
  await bob.send(server, bob.activity('Create', vote))
  await waitUntilProcessed(server, alice, bob)
  const { poll } = entity((await alice.get(`/api/v1/statuses/${status.id}`)).json)
  assert.equal(entity(poll)['votes_count'], 0)
  assert.deepEqual(await sql(server, 'select from statuses where in_reply_to_id = $1', [status.id]), [])
})

test('a post that was published more than six hours ago notifies nobody', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  await followActor(server, alice, bob)
  const at = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
  const [old, recent] = [7, 5].map(hours => noteTo(server, alice, bob, 'hours ago', { published: at(hours) }))
  assert.ok(old && recent)
  for (const note of [old, recent]) await bob.send(server, bob.create(note))
  await waitUntilProcessed(server, alice, bob)
  const uris = entities((await alice.get('/api/v1/notifications', { types: 'mention' })).json).map(
    one => entity(one['status'])['uri'],
  )
  assert.deepEqual([uris.includes(old.id), uris.includes(recent.id)], [false, true])
  assert.equal((await sql(server, 'select from statuses where uri = $1', [old.id])).length, 1)
})

test('a direct post of seven hours ago is an unread message, unless its author would not notify', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, blocked, muted] = [peer.actor('bob'), peer.actor('blocked'), peer.actor('muted')]
  await followActor(server, alice, bob)
  for (const actor of [blocked, muted]) await waitUntilProcessed(server, alice, actor)
  await alice.post(`/api/v1/accounts/${await findAccountId(server, blocked)}/block`)
  await alice.post(`/api/v1/accounts/${await findAccountId(server, muted)}/mute`)
  const published = new Date(Date.now() - 7 * 3_600_000).toISOString()
  const local = localUri(server, alice.id)
  const tag = [{ type: 'Mention', href: local, name: `@${alice.username}` }]
  for (const actor of [blocked, muted, bob])
    await actor.send(server, actor.create(actor.note('late', { to: [local], cc: [], tag, published })))
  await waitForJobs(t, server, 'federation.receive_lane')
  const conversations = entities((await alice.get('/api/v1/conversations')).json)
  assert.deepEqual(
    conversations.map(one => [one['unread'], entities(one['accounts']).map(({ id }) => id)]),
    [[true, [await findAccountId(server, bob)]]],
  )
})

test('an old post that is fetched because its author pins it is no new post', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  await alice.post(`/api/v1/accounts/${await findAccountId(server, bob)}/follow`, { notify: true })
  const [old, fresh] = [7, 1].map(hours =>
    peer.serve(bob.note(`pinned ${hours}`, { published: new Date(Date.now() - hours * 3_600_000).toISOString() })),
  )
  const target = String(peer.documentOf(bob.uri)['featured'])
  for (const note of [old, fresh]) await bob.send(server, bob.activity('Add', note?.id, { target }))
  await waitUntilProcessed(server, alice, bob)
  const notified = entities((await alice.get('/api/v1/notifications?types[]=status')).json)
  const uris = notified.map(one => entity(one['status'])['uri'])
  assert.deepEqual([uris.includes(old?.id), uris.includes(fresh?.id)], [false, true])
})

test('a boost by a group notifies only authors who do not follow it', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const group = (await startPeer(t)).actor('group', { type: 'Group' })
  await followActor(server, alice, group)
  for (const author of [alice, bob]) {
    const { id } = await author.postStatus('for the group')
    const object = `${localUri(server, author.id)}/statuses/${id}`
    await group.send(server, group.activity('Announce', object, { to: [PUBLIC] }))
  }
  await waitUntilProcessed(server, bob, group)
  const boosts = async (person: Person): Promise<number> =>
    entities((await person.get('/api/v1/notifications?types[]=reblog')).json).length
  assert.deepEqual([await boosts(alice), await boosts(bob)], [0, 1])
})

test('of a suspended account only what takes back or changes is processed', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), peer.actor('carol')]
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const status = await alice.postStatus('popular')
  const object = `${localUri(server, alice.id)}/statuses/${status.id}`
  const like = bob.activity('Like', object)
  await bob.send(server, like)
  await waitUntilProcessed(server, alice, bob)
  await sql(server, `update accounts set suspended_at = now() where uri = $1`, [bob.uri])
  const flag = bob.activity('Flag', [localUri(server, alice.id)], { content: 'flagged' })
  for (const one of [
    bob.activity('Undo', like),
    flag,
    bob.activity('Announce', object, { to: [PUBLIC] }),
    bob.activity('Follow', localUri(server, alice.id)),
  ])
    await bob.send(server, one)
  await waitUntilProcessed(server, alice, carol)
  const likes = await sql(server, 'select from favourites where status_id = $1', [status.id])
  const follows = await sql(server, 'select from follows where target_account_id = $1', [alice.id])
  const boosts = await sql(server, 'select from statuses where reblog_of_id = $1', [status.id])
  assert.deepEqual([likes, follows, boosts], [[], [], []])
  assert.deepEqual((await moderator.get('/api/v1/admin/reports', { target_account_id: alice.id })).json, [])
})

test('the comment of a report is cut after five thousand characters; a suspended account is not reported', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const bob = (await startPeer(t)).actor('bob')
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [carol.id])
  const accounts = [alice, carol].map(({ id }) => localUri(server, id))
  await bob.send(server, bob.activity('Flag', accounts, { content: '😀'.repeat(6000) }))
  await waitUntilProcessed(server, alice, bob)
  const comments = async (id: string) =>
    entities((await moderator.get('/api/v1/admin/reports', { target_account_id: id })).json).map(one => one['comment'])
  assert.deepEqual([await comments(alice.id), await comments(carol.id)], [['😀'.repeat(5000)], []])
})

test('attachments that an edit adds replace the preview card', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const note = noteTo(server, alice, bob, 'a page')
  const { id } = await deliver(server, alice, bob, note)
  await sql(
    server,
    `with c as (insert into preview_cards (url, type, title) values ('https://news.example/', 'link', 'News') returning id)
     insert into preview_cards_statuses (status_id, preview_card_id, url) select $1, c.id, 'https://news.example/' from c`,
    [id],
  )
  const cards = 'select from preview_cards_statuses where status_id = $1'
  const edit = async (more: Document): Promise<number> => {
    await bob.send(server, bob.activity('Update', { ...note, updated: new Date().toISOString(), ...more }))
    await waitUntilProcessed(server, alice, bob)
    return (await sql(server, cards, [id])).length
  }
  assert.equal(await edit({ sensitive: true }), 1)
  const attachment = { type: 'Document', mediaType: 'image/png', url: 'https://far.example/a.png' }
  assert.equal(await edit({ attachment: [attachment] }), 0)
})

test('edits and deletions that a followed group announces are fetched from the server of the post', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [group, stranger, bob] = [peer.actor('group', { type: 'Group' }), peer.actor('stranger'), other.actor('bob')]
  const audience = { to: [PUBLIC], cc: [group.followers] }
  await followActor(server, alice, group)
  await waitUntilProcessed(server, alice, stranger)
  const title = (name: string): Document => ({ type: 'Page', name, url: 'https://far.example/article' })
  const pages = ['kept', 'removed', 'edited'].map(name => other.serve(bob.note('', title(name))))
  // As Lemmy brings new posts: with the activity that creates them, and by themselves.
  for (const page of pages)
    for (const object of [bob.create(page), page.id])
      await group.send(server, group.activity('Announce', object, audience))
  await waitUntilProcessed(server, alice, group)
  const shown = async (): Promise<unknown[]> => {
    const account = await findAccountId(server, group)
    const boosts = entities((await alice.get(`/api/v1/accounts/${account}/statuses`)).json)
    return boosts
      .filter(one => one['reblog'] !== null)
      .map(one => entity(one['reblog'])['content'])
      .map(text => /^<p>(\w+)/.exec(String(text))?.[1])
  }
  assert.deepEqual(await shown(), ['edited', 'removed', 'kept'])

  const [kept, removed, edited] = pages.map(({ id }) => id)
  const askedFor = (uri: string | undefined): number => other.asked.filter(path => uri?.endsWith(path)).length
  const before = [kept, removed, edited].map(askedFor)
  const voter = other.actor('voter')
  const activities = [
    bob.activity('Delete', removed),
    // Others may claim anything of a post that is still there.
    stranger.activity('Delete', kept),
    stranger.activity('Update', { ...pages[0], name: 'forged', updated: new Date().toISOString() }),
    bob.activity('Update', edited),
  ]
  other.documents.set(new URL(String(removed)).pathname, 410)
  other.serve({ ...other.documentOf(String(edited)), name: 'changed', updated: new Date().toISOString() })
  for (const activity of Array.from({ length: 5 }, () => activities).flat())
    await group.send(server, group.activity('Announce', activity, audience))
  for (const type of ['Like', 'Dislike', 'Undo', 'Flag'])
    await group.send(server, group.activity('Announce', voter.activity(type, voter.activity('Like', kept)), audience))
  await waitUntilProcessed(server, alice, group)
  await runScheduled(t, server, 'federation.refresh_status')
  await waitForJobs(t, server, 'federation.refresh_status')
  assert.deepEqual(await shown(), ['changed', 'kept'])
  const requests = [kept, removed, edited].map((uri, at) => askedFor(uri) - (before[at] ?? 0))
  // Two if a minute ends while they arrive.
  assert.ok(
    requests.every(count => count === 1 || count === 2),
    `five announcements of each change are one request: ${requests.join(' ')}`,
  )
  assert.deepEqual(
    other.asked.filter(path => path.includes('/activities/') || path.includes(voter.username)),
    [],
    'votes are not requested',
  )
  await stranger.send(server, stranger.activity('Announce', stranger.activity('Delete', kept), audience))
  await waitUntilProcessed(server, alice, stranger)
  const waiting = await sql(
    server,
    `select from graphile_worker.jobs where task_identifier = 'federation.refresh_status'`,
  )
  assert.deepEqual(waiting, [], 'nobody follows the stranger')
})

test('the deletion that a group announces while the server of the post is away is done later', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [group, bob] = [peer.actor('group', { type: 'Group' }), other.actor('bob')]
  await followActor(server, alice, group)
  const note = other.serve(bob.note('here'))
  await group.send(server, group.activity('Announce', note.id, { to: [PUBLIC] }))
  await waitUntilProcessed(server, alice, group)
  const isStored = async (): Promise<boolean> =>
    (await sql(server, 'select from statuses where uri = $1 and deleted_at is null', [note.id])).length > 0
  const answer = (status: number) => other.documents.set(new URL(note.id).pathname, status)
  answer(503)
  await group.send(server, group.activity('Announce', bob.activity('Delete', note.id), { to: [PUBLIC] }))
  await runScheduled(t, server, 'federation.refresh_status')
  const later = `select from graphile_worker.jobs
    where task_identifier = 'federation.refresh_status' and run_at > now() + interval '5 minutes'`
  await becomes(async () => (await sql(server, later)).length, 1, 'it is requested again some minutes later')
  assert.equal(await isStored(), true)
  answer(410)
  await runScheduled(t, server, 'federation.refresh_status')
  await waitForJobs(t, server, 'federation.refresh_status')
  assert.equal(await isStored(), false)
})
