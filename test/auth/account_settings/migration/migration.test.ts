import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes } from '../../../platform/settings/pair.ts'
import type { Browser, Page } from '../../../support/browser.ts'
import { startPeer } from '../../../support/federation/peer.ts'
import { PASSWORD } from '../../../support/oauth.ts'
import { people, sql, type Person } from '../../../support/people.ts'
import { signedIn } from '../../../support/signed_in.ts'

const ALIASES = '/settings/aliases'
const PAGE = '/settings/migration'

const nameAlias = async (browser: Browser, acct: string): Promise<Page> =>
  browser.submit(await browser.get(ALIASES), ALIASES, { 'account_alias[acct]': acct })

const move = async (browser: Browser, acct: string, password = PASSWORD): Promise<Page> =>
  browser.submit(await browser.get(PAGE), PAGE, {
    'account_migration[acct]': acct,
    'account_migration[current_password]': password,
  })

const idsOf = async (one: Person, path: string): Promise<string[]> =>
  ((await one.get(path)).json as { id: string }[]).map(({ id }) => id).toSorted()

test('an account moves with its followers, their options, lists, notes and mutes', async t => {
  const old = await signedIn(t, 'old')
  const fresh = await signedIn(t, 'fresh')
  const { bob, carol, dora, viewer } = await people(t, 'bob', 'carol', 'dora', 'viewer')
  await bob.follow(old.person, { reblogs: false, notify: true })
  await carol.follow(old.person)
  const list = (await bob.post('/api/v1/lists', { title: 'Old friends' })).json as { id: string }
  await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [old.person.id] })
  await bob.post(`/api/v1/accounts/${old.person.id}/note`, { comment: 'from school' })
  await dora.post(`/api/v1/accounts/${old.person.id}/mute`)
  await fresh.person.post(`/api/v1/accounts/${carol.id}/block`)
  const unlinked = await move(old.browser, fresh.person.username)
  assert.match(unlinked.text, /does not name this account as an alias yet/)
  const added = await nameAlias(fresh.browser, `@${old.person.username}`)
  assert.deepEqual([added.status, added.location], [302, ALIASES], added.text)
  const wrong = await move(old.browser, fresh.person.username, 'wrong')
  assert.match(wrong.text, /id="account_migration_current_password_error"/)
  assert.equal((await old.person.get('/api/v1/accounts/verify_credentials')).status, 200)
  const moved = await move(old.browser, fresh.person.username)
  assert.deepEqual([moved.status, moved.location], [302, PAGE], moved.text)
  const followers = (): Promise<string[]> => idsOf(fresh.person, `/api/v1/accounts/${fresh.person.id}/followers`)
  await becomes(followers, [bob.id], 'the followers of the new account')
  const relations = (await bob.get(`/api/v1/accounts/relationships?id[]=${fresh.person.id}`)).json as object[]
  const { following, showing_reblogs, notifying } = relations[0] as Record<string, unknown>
  assert.deepEqual([following, showing_reblogs, notifying], [true, false, true])
  await becomes(() => idsOf(bob, `/api/v1/lists/${list.id}/accounts`), [fresh.person.id], 'the list')
  const noted = (await bob.get(`/api/v1/accounts/relationships?id[]=${fresh.person.id}`)).json as { note: string }[]
  assert.equal(noted[0]?.note, 'from school')
  const muted = (await dora.get(`/api/v1/accounts/relationships?id[]=${fresh.person.id}`)).json as { muting: boolean }[]
  assert.equal(muted[0]?.muting, true)
  const shown = (await viewer.get(`/api/v1/accounts/${old.person.id}`)).json as { moved: { id: string } }
  assert.equal(shown.moved.id, fresh.person.id)
  assert.equal((await old.person.get('/api/v1/accounts/verify_credentials')).status, 403, 'it is closed')
  assert.equal((await viewer.post(`/api/v1/accounts/${old.person.id}/follow`)).status, 403)
  const page = await old.browser.get(PAGE)
  assert.ok(page.text.includes(`@${fresh.person.username}@`), 'its owner still sees where it points')
  const again = await old.browser.submit(page, `${PAGE}/redirect`, {}, 'delete')
  assert.equal(again.location, PAGE)
  assert.equal((await old.person.get('/api/v1/accounts/verify_credentials')).status, 200)
  assert.match((await move(old.browser, fresh.person.username)).text, /less than 30 days ago/)
})

test('a move leaves follows of the new account as their owners made them', async t => {
  const old = await signedIn(t, 'old')
  const fresh = await signedIn(t, 'fresh')
  const { bob, carol, dora } = await people(t, 'bob', 'carol', 'dora')
  await bob.post(`/api/v1/accounts/${old.person.id}/mute`)
  await bob.follow(fresh.person)
  await bob.postStatus(`@${fresh.person.username} hello`, { visibility: 'direct' })
  await carol.follow(old.person)
  await carol.follow(fresh.person, { reblogs: false, notify: true, languages: ['de'] })
  await sql(old.server, 'update accounts set locked = true where id = $1', [fresh.person.id])
  await dora.follow(old.person, { notify: true })
  await dora.follow(fresh.person, { reblogs: false, languages: ['fr'] })
  await dora.post(`/api/v1/accounts/${old.person.id}/mute`)
  const list = (await carol.post('/api/v1/lists', { title: 'Old friends' })).json as { id: string }
  await carol.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [old.person.id] })
  await nameAlias(fresh.browser, `@${old.person.username}`)
  await move(old.browser, fresh.person.username)
  for (const one of [carol, dora])
    await becomes(
      () => idsOf(one, `/api/v1/accounts/${one.id}/following`).then(ids => ids.includes(old.person.id)),
      false,
      'the follow of the old account',
    )
  const relationOf = async (one: Person): Promise<Record<string, unknown>> => {
    const relations = await one.get(`/api/v1/accounts/relationships?id[]=${fresh.person.id}`)
    return (relations.json as Record<string, unknown>[])[0] ?? {}
  }
  const ofBob = await relationOf(bob)
  assert.deepEqual([ofBob['following'], ofBob['muting']], [true, false])
  assert.equal((await idsOf(bob, '/api/v1/conversations')).length, 1)
  const ofCarol = await relationOf(carol)
  assert.deepEqual(
    [ofCarol['following'], ofCarol['showing_reblogs'], ofCarol['notifying'], ofCarol['languages']],
    [true, false, true, ['de']],
  )
  assert.deepEqual(await idsOf(carol, `/api/v1/lists/${list.id}/accounts`), [fresh.person.id])
  const ofDora = await relationOf(dora)
  assert.deepEqual([ofDora['requested'], ofDora['muting']], [true, false])
  const asked = await sql(
    old.server,
    'select show_reblogs, notify, languages from follow_requests where account_id = $1',
    [dora.id],
  )
  assert.deepEqual(asked, [{ show_reblogs: false, notify: false, languages: ['fr'] }])
})

test('an account can point to another one without a move', async t => {
  const old = await signedIn(t, 'old')
  const { fresh, bob } = await people(t, 'fresh', 'bob')
  await bob.follow(old.person)
  const page = await old.browser.get(PAGE)
  const response = await old.browser.submit(page, `${PAGE}/redirect`, {
    'redirect[acct]': fresh.username,
    'redirect[current_password]': PASSWORD,
  })
  assert.deepEqual([response.status, response.location], [302, PAGE], response.text)
  const shown = (await bob.get(`/api/v1/accounts/${old.person.id}`)).json as { moved: { id: string } }
  assert.equal(shown.moved.id, fresh.id)
  assert.deepEqual(await idsOf(bob, `/api/v1/accounts/${bob.id}/following`), [old.person.id])
  assert.deepEqual(
    await sql(old.server, 'select id from account_migrations where account_id = $1', [old.person.id]),
    [],
  )
  await old.browser.submit(await old.browser.get(PAGE), `${PAGE}/redirect`, {}, 'delete')
  const back = (await bob.get(`/api/v1/accounts/${old.person.id}`)).json as { moved?: unknown }
  assert.equal(back.moved ?? null, null)
})

test('aliases are checked, listed and removed; a disabled account moves nowhere', async t => {
  const { person, browser, server } = await signedIn(t, 'alice')
  const { bob } = await people(t, 'bob')
  for (const [acct, reason] of [
    ['nobody_there', 'is not known here'],
    [person.username, 'is this account itself'],
  ] as const)
    assert.ok((await nameAlias(browser, acct)).text.includes(`id="account_alias_acct_error">${reason}<`), acct)
  await nameAlias(browser, bob.username)
  assert.match((await nameAlias(browser, bob.username)).text, /is named already/)
  const page = await browser.get(ALIASES)
  const removal = page.forms.find(({ action }) => action.startsWith(`${ALIASES}/`))
  assert.ok(page.text.includes(`@${bob.username}@${server.config.localDomain}`) && removal)
  await browser.submit(page, removal.action, {}, 'delete')
  assert.doesNotMatch((await browser.get(ALIASES)).text, new RegExp(bob.username))
  assert.equal((await browser.submit(page, removal.action, {}, 'delete')).status, 404)
  const form = await browser.get(PAGE)
  await sql(
    server,
    `with changed as (update users set disabled = true where account_id = $1 returning account_id)
     insert into events (kind, account_id, data) select 'user.changed', account_id, '{"change": "disabled"}' from changed`,
    [person.id],
  )
  await becomes(async () => (await browser.get(PAGE)).location, '/auth/edit', 'the page of a disabled account')
  const refused = await browser.submit(form, PAGE, {
    'account_migration[acct]': bob.username,
    'account_migration[current_password]': PASSWORD,
  })
  assert.equal(refused.location, '/auth/edit')
})

test('an alias may be an account of another server that is not known here', async t => {
  const { browser } = await signedIn(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  assert.equal((await nameAlias(browser, `@${bob.acct}`)).status, 302)
  assert.ok((await browser.get(ALIASES)).text.includes(bob.acct))
})

test('of two moves at the same time one is refused', async t => {
  const [old, fresh] = [await signedIn(t, 'old'), await signedIn(t, 'fresh')]
  await nameAlias(fresh.browser, `@${old.person.username}`)
  const form = await old.browser.get(PAGE)
  const fields = {
    'account_migration[acct]': fresh.person.username,
    'account_migration[current_password]': PASSWORD,
  }
  const answers = await Promise.all([1, 2].map(async () => old.browser.submit(form, PAGE, fields)))
  assert.equal(answers.filter(({ status }) => status === 302).length, 1)
  const stored = await sql(old.server, 'select from account_migrations where account_id = $1', [old.person.id])
  assert.equal(stored.length, 1)
})
