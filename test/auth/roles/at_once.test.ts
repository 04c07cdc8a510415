import assert from 'node:assert/strict'
import { test } from 'tap'
import { BASE_ROLE, changeRole, createRole } from '../../../src/auth/roles/index.ts'
import { PERMISSIONS } from '../../../src/core/permissions.ts'
import { waitForEvent } from '../../accounts/waiting.ts'
import { commandLine } from '../../moderation/moderation_fixtures.ts'
import { directDatabase } from '../../support/direct.ts'
import { person, waitForEventLog } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

const { view_feeds: FEEDS, manage_users: USERS } = PERMISSIONS

test('a changed role applies at once, to requests and to open streams', async t => {
  const server = await startServer(t)
  const database = directDatabase(t, server)
  const ctl = await commandLine(t, server)
  const role = await createRole(database, null, { name: 'Reader', permissions: FEEDS | USERS })
  const [reader, author] = [await person(server, 'reader', { roleId: Number(role) }), await person(server, 'author')]
  t.after(() => reader.close())
  await reader.follow(author)
  await ctl('settings', 'set', 'local_live_feed_access', 'disabled')
  await waitForEvent(server, `e.kind = 'settings.changed'`)
  const [everybody, own] = [await reader.stream('public:local'), await reader.stream('user')]
  const next = async (stream: typeof own): Promise<string> =>
    ((await stream.next('update')).payload as { id: string }).id
  const { id: first } = await author.postStatus('first')
  assert.deepEqual([await next(everybody), await next(own)], [first, first])
  assert.equal((await reader.get('/api/v1/admin/accounts')).status, 200)

  await changeRole(database, null, role, { permissions: 0 })
  const { id: second } = await author.postStatus('second')
  assert.equal(await next(own), second)
  assert.equal((await reader.get('/api/v1/admin/accounts')).status, 403)
  await changeRole(database, null, role, { permissions: FEEDS })
  const { id: third } = await author.postStatus('third')
  // The second one did not arrive.
  assert.deepEqual([await next(own), await next(everybody)], [third, third])

  await changeRole(database, null, role, { require_2fa: true })
  await Promise.all([own.closed, everybody.closed])
  assert.equal((await reader.get('/api/v1/timelines/home')).status, 403)
})

test('a second factor that the base role requires is required of those who have no other role', async t => {
  const server = await startServer(t)
  const database = directDatabase(t, server)
  const [member, moderator] = [await person(server, 'member'), await person(server, 'moderator', { roleId: 1 })]
  t.after(() => member.close())
  const stream = await member.stream('user')
  const home = async (who: typeof member): Promise<number> => (await who.get('/api/v1/timelines/home')).status
  assert.deepEqual([await home(member), await home(moderator)], [200, 200])
  await changeRole(database, null, BASE_ROLE, { require_2fa: true })
  await stream.closed
  assert.deepEqual([await home(member), await home(moderator)], [403, 200])
  await changeRole(database, null, BASE_ROLE, { require_2fa: false })
  await waitForEventLog(moderator)
  assert.equal(await home(member), 200)
})
