import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { notificationsOf } from '../../notifications/notified.ts'
import { startPushService } from '../../notifications/push/push_service.ts'
import { registerApplication } from '../../support/oauth.ts'
import { person } from '../../support/people.ts'
import { OPEN_REGISTRATIONS, startServer } from '../../support/server.ts'

test('moderators hear of a new user once it is active: notification, stream and push message', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { ...OPEN_REGISTRATIONS, env: { SMTP_URL: mail.url } })
  const service = await startPushService(t)
  const moderator = await person(server, 'moderator', { roleId: 1 })
  const ordinary = await person(server, 'ordinary')
  t.after(() => moderator.close())
  const device = service.device({ standard: true })
  const subscribed = await moderator.post('/api/v1/push/subscription', {
    subscription: device.subscription,
    data: { alerts: { 'admin.sign_up': true } },
  })
  assert.equal(subscribed.status, 200, subscribed.text)
  const stream = await moderator.stream('user:notification')

  const application = await registerApplication(server, { scopes: 'read write' })
  const token = await new Client(server).post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id: application.client_id,
    client_secret: application.client_secret,
    scope: 'read write',
  })
  const newcomer = { username: 'tapir', email: 'tapir@example.com', password: 'correct horse' }
  const made = await new Client(server, (token.json as { access_token: string }).access_token).post(
    '/api/v1/accounts',
    { ...newcomer, agreement: true, locale: 'en' },
  )
  assert.equal(made.status, 200, made.text)
  const letter = await mail.email('tapir@example.com', /onfirm/)
  assert.deepEqual(await notificationsOf(moderator), [])

  const link = new URL(/https?:\/\/\S+confirmation_token=\S+/.exec(letter.text)?.[0] ?? '')
  assert.equal((await new Browser(server).get(`${link.pathname}${link.search}`)).status, 302)
  const told = (await stream.next('notification')).payload as { type: string; account: { username: string } }
  assert.deepEqual([told.type, told.account.username], ['admin.sign_up', 'tapir'])
  const { message } = await service.next(device)
  assert.equal(message['notification_type'], 'admin.sign_up')
  assert.deepEqual(await notificationsOf(moderator), ['admin.sign_up by tapir'])
  assert.deepEqual(await notificationsOf(ordinary), [])
})
