import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity, picture, upload } from '../media/attachments/media_fixtures.ts'
import { becomes } from '../platform/settings/pair.ts'
import { Browser } from '../support/browser.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { people, person } from '../support/people.ts'
import type { ServerAddress } from '../support/server.ts'
import { commandLine } from './moderation_fixtures.ts'

/** Asks for files as somebody who is signed in, or as anybody; reads the statuses. */
const asked = (browser: Browser, urls: readonly string[]) => async (): Promise<number[]> =>
  Promise.all(urls.map(async url => (await browser.get(new URL(url).pathname)).status))

async function signedIn(server: ServerAddress, name: string, roleId: number | null): Promise<Browser> {
  const { email } = await personWithPassword(server, name, { user: { role_id: roleId } })
  const browser = new Browser(server)
  await browser.signIn(email, PASSWORD)
  return browser
}

async function attach(who: Parameters<typeof upload>[0]): Promise<{ id: string; urls: string[] }> {
  const made = entity(await upload(who, 'v2', await picture(40, 30).png().toBuffer()))
  return { id: made.id, urls: [String(made['url']), String(made['preview_url'])] }
}

test('the files of a suspended account are for moderators only, until the suspension ends', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const form = new FormData()
  form.append('avatar', new Blob([Uint8Array.from(await picture(50, 50).png().toBuffer())], { type: 'image/png' }), 'a')
  const profile = entity(await alice.request('PATCH', '/api/v1/accounts/update_credentials', { body: form }))
  const { id, urls } = await attach(alice)
  await alice.postStatus('look', { media_ids: [id] })
  const other = await attach(bob)
  const files = [...urls, String(profile['avatar'])]
  const [anybody, member] = [asked(new Browser(server), files), asked(await signedIn(server, 'member', null), files)]
  const staff = await signedIn(server, 'staff', 1)
  const act = async (path: string, body: object): Promise<void> =>
    void entity(await moderator.post(`/api/v1/admin/accounts/${alice.id}/${path}`, body))
  assert.deepEqual(await anybody(), [200, 200, 200])

  await act('action', { type: 'suspend' })
  await becomes(anybody, [404, 404, 404], 'the files are withheld')
  assert.deepEqual(await member(), [404, 404, 404])
  assert.deepEqual(await asked(staff, files)(), [200, 200, 200])
  const shown = await staff.get(new URL(urls[0] ?? '').pathname)
  assert.equal(shown.headers.get('cache-control'), 'private, no-store')
  assert.equal(shown.headers.get('content-type'), 'image/png')
  assert.deepEqual(await asked(new Browser(server), other.urls)(), [200, 200])

  await act('unsuspend', {})
  await becomes(anybody, [200, 200, 200], 'the files are shown again')
})

test('the files of a status that moderators deleted are for moderators only', async t => {
  const { server, alice } = await people(t, 'alice')
  const ctl = await commandLine(t, server)
  const [bad, fine] = [await attach(alice), await attach(alice)]
  const { id } = await alice.postStatus('bad', { media_ids: [bad.id] })
  await alice.postStatus('fine', { media_ids: [fine.id] })
  await ctl('moderation', 'statuses', alice.username, 'delete_statuses', id)
  const anybody = new Browser(server)
  await becomes(asked(anybody, bad.urls), [404, 404], 'the files are withheld')
  assert.deepEqual(await asked(anybody, fine.urls)(), [200, 200])
  assert.deepEqual(await asked(await signedIn(server, 'staff', 1), bad.urls)(), [200, 200])
})

test('the files of a reported status that its author deletes are for moderators only', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const [reported, other] = [await attach(alice), await attach(alice)]
  const { id } = await alice.postStatus('reported', { media_ids: [reported.id] })
  const { id: unreported } = await alice.postStatus('not reported', { media_ids: [other.id] })
  entity(await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [id], comment: 'look' }))
  entity(await alice.delete(`/api/v1/statuses/${id}`))
  entity(await alice.delete(`/api/v1/statuses/${unreported}`))
  const anybody = new Browser(server)
  await becomes(asked(anybody, reported.urls), [404, 404], 'the files are withheld')
  assert.deepEqual(await asked(await signedIn(server, 'staff', 1), reported.urls)(), [200, 200])
  assert.deepEqual(await asked(anybody, other.urls)(), [200, 200], 'these may be attached again for a day')
})
