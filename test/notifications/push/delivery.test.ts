import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeToken, people, person, sql, type Person } from '../../support/people.ts'
import { Client } from '../../support/client.ts'
import { startServer } from '../../support/server.ts'
import { NOTIFICATION_TYPES, TYPES_WITH_STATUS } from '../../../src/notifications/index.ts'
import { startPushService, type Device } from './push_service.ts'

const PATH = '/api/v1/push/subscription'
const PATHS = [PATH, `${PATH}s`]
const ALL = Object.fromEntries(NOTIFICATION_TYPES.map(type => [type, true]))

async function subscribe(
  person: Client,
  { subscription }: Device,
  data: object = { alerts: ALL },
  path = PATH,
): Promise<void> {
  const response = await person.post(path, { subscription, data })
  assert.equal(response.status, 200, response.text)
}

const follow = (one: Person, other: Person): Promise<void> => one.follow(other)

test('a push message arrives, can be decrypted, and shows its sender and its cause', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const service = await startPushService(t)
  const instance = (await alice.get('/api/v2/instance')).json as { configuration: { vapid: { public_key: string } } }
  for (const [path, standard] of PATHS.flatMap(path => [true, false].map(standard => [path, standard] as const))) {
    const device = service.device({ standard })
    await subscribe(alice, device, undefined, path)
    const status = await bob.postStatus(`@${alice.username} hello <b> & ${'long '.repeat(40)}`)
    const { message, headers, claims, serverKey } = await service.next(device)
    const [notification] = (await alice.get('/api/v1/notifications', { limit: '1' })).json as { id: string }[]
    const account = status['account'] as { avatar_static: string }
    const { body, ...rest } = message
    assert.deepEqual(rest, {
      access_token: alice.token,
      preferred_locale: 'en',
      notification_id: Number(notification?.id),
      notification_type: 'mention',
      icon: account.avatar_static,
      title: 'You were mentioned by bob',
    })
    assert.ok(typeof body === 'string' && body.length === 140)
    assert.match(body, new RegExp(`^@${alice.username} hello <b> & long .*\\.\\.\\.$`))
    assert.equal(serverKey, instance.configuration.vapid.public_key)
    assert.equal(claims['aud'], service.origin)
    assert.equal(claims['sub'], 'mailto:notifications@127.0.0.1')
    const leftSeconds = Number(claims['exp']) - Date.now() / 1000
    assert.ok(leftSeconds > 23 * 3600 && leftSeconds <= 24 * 3600)
    const sent = ['content-type', 'content-encoding', 'ttl', 'urgency'].map(name => headers[name])
    const encoding = standard ? 'aes128gcm' : 'aesgcm'
    assert.deepEqual(sent, ['application/octet-stream', encoding, '172800', 'normal'])
    assert.ok(Number(headers['content-length']) > 0)
    assert.match(String(headers.authorization), standard ? /^vapid t=[\w.-]+,k=[\w-]+$/ : /^WebPush [\w.-]+$/)
    assert.match(String(headers['unsubscribe-url']), /^http.*\/api\/web\/push_subscriptions\/[\w.-]+$/)
    assert.match(String(headers['topic']), /^[\w-]{24}$/)
  }
  const [left] = await sql(server, `select count(*)::int as n from push_subscriptions where user_id = $1`, [
    alice.userId,
  ])
  assert.equal(left?.['n'], 1)
})

test('the body is the content warning, the text or the bio of the account, in the locale of the user', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, `update users set locale = 'de' where id = $1`, [alice.userId])
  await bob.patch('/api/v1/accounts/update_credentials', { note: 'I like tea', display_name: '' })
  const service = await startPushService(t)
  const device = service.device({ standard: true })
  await subscribe(alice, device)
  await bob.postStatus(`@${alice.username} the butler`, { spoiler_text: 'who did it' })
  const warned = await service.next(device)
  assert.deepEqual([warned.message['body'], warned.message['preferred_locale']], ['who did it', 'de'])
  await follow(bob, alice)
  const { message } = await service.next(device)
  const members = ['notification_type', 'title', 'body'].map(name => message[name])
  assert.deepEqual(members, ['follow', `${bob.username} folgt Ihnen jetzt`, 'I like tea'])
  const mine = await alice.postStatus('mine')
  await bob.post(`/api/v1/statuses/${mine.id}/favourite`)
  assert.equal((await service.next(device)).message['title'], `${bob.username} hat Ihren Beitrag favorisiert`)
  await bob.post(`/api/v1/statuses/${mine.id}/reblog`)
  const boosted = (await service.next(device)).message
  assert.deepEqual([boosted['title'], boosted['body']], [`${bob.username} hat Ihren Beitrag geteilt`, 'mine'])
})

test('the push message of a quote omits the fallback line of the quote', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const service = await startPushService(t)
  const device = service.device({ standard: true })
  const mine = await alice.postStatus('mine')
  await subscribe(alice, device)
  const quoting = await bob.postStatus('so true', { quoted_status_id: mine.id })
  assert.match(String(quoting['content']), /^<p class="quote-inline">RE: /)
  const { message } = await service.next(device)
  assert.deepEqual([message['notification_type'], message['body']], ['quote', 'so true'])
})

/** The title of each type in two languages. */
const TITLES: Readonly<Record<string, readonly [english: string, german: string]>> = {
  mention: ['You were mentioned by NAME', 'NAME hat Sie erwähnt'],
  status: ['NAME just posted', 'NAME hat gerade etwas gepostet'],
  reblog: ['NAME boosted your post', 'NAME hat Ihren Beitrag geteilt'],
  follow: ['NAME is now following you', 'NAME folgt Ihnen jetzt'],
  follow_request: ['Pending follower: NAME', 'NAME möchte Ihnen folgen'],
  favourite: ['NAME favorited your post', 'NAME hat Ihren Beitrag favorisiert'],
  poll: ['A poll by NAME has ended', 'Eine Umfrage von NAME ist beendet'],
  update: ['NAME edited a post', 'NAME hat einen Beitrag bearbeitet'],
  severed_relationships: [
    'You have lost connections due to a moderation decision',
    'Sie haben durch eine Entscheidung der Moderation Verbindungen verloren',
  ],
  moderation_warning: ['You have received a moderation warning', 'Sie haben eine Verwarnung der Moderation erhalten'],
  annual_report: ['Your year in review is ready', 'Ihr Jahresrückblick ist fertig'],
  'admin.sign_up': ['NAME signed up', 'NAME hat sich angemeldet'],
  'admin.report': ['NAME submitted a report', 'NAME hat etwas gemeldet'],
  quote: ['NAME quoted your post', 'NAME hat Ihren Beitrag zitiert'],
  quoted_update: ['NAME edited a post you have quoted', 'NAME hat einen Beitrag bearbeitet, den Sie zitiert haben'],
  added_to_collection: ['NAME added you to a collection', 'NAME hat Sie in eine Sammlung aufgenommen'],
  collection_update: ['NAME edited a collection that you are in', 'NAME hat eine Sammlung bearbeitet, in der Sie sind'],
}

test('every type is pushed with a title in the language of the user', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const service = await startPushService(t)
  const device = service.device({ standard: true })
  await subscribe(alice, device)
  assert.deepEqual(Object.keys(TITLES).sort(), [...NOTIFICATION_TYPES].sort())
  const { id } = await alice.postStatus('hello')
  for (const [at, locale] of ['en', 'de'].entries()) {
    await sql(server, 'update users set locale = $2 where id = $1', [alice.userId, locale])
    for (const [type, titles] of Object.entries(TITLES)) {
      const status = TYPES_WITH_STATUS.has(type) ? id : null
      await sql(server, 'select notify($1, $2, $3, $4, $5)', [alice.id, bob.id, type, status, at + 1])
      const { message } = await service.next(device)
      assert.deepEqual(
        [message['notification_type'], message['title'], message['preferred_locale']],
        [type, titles[at]?.replace('NAME', 'bob'), locale],
      )
    }
  }
})

test('each device of a user receives the message with its own token', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const other = new Client(server, await makeToken(server, alice.userId, ['push']))
  const service = await startPushService(t)
  const devices = [service.device(), service.device({ standard: true })]
  for (const [index, client] of [alice, other].entries()) await subscribe(client, devices[index] as Device)
  await follow(bob, alice)
  const messages = [
    (await service.inbox.take('one', () => true)).message,
    (await service.inbox.take('two', () => true)).message,
  ]
  assert.deepEqual(new Set(messages.map(message => message['access_token'])), new Set([alice.token, other.token]))
})

test('the title is in the language of the server when there are no texts in that of the user', async t => {
  const server = await startServer(t, { env: { DEFAULT_LOCALE: 'de' } })
  const service = await startPushService(t)
  for (const locale of ['es', null]) {
    const [alice, bob] = [await person(server, 'alice', { user: { locale } }), await person(server, 'bob')]
    t.after(() => Promise.all([alice.close(), bob.close()]))
    const device = service.device({ standard: true })
    await subscribe(alice, device)
    await follow(bob, alice)
    const { message } = await service.next(device)
    assert.deepEqual([message['title'], message['preferred_locale']], ['bob folgt Ihnen jetzt', locale ?? 'de'])
  }
})
