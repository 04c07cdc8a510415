import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/accounts'

test('the pages of accounts need the permission to manage users', async t => {
  const server = await sharedServer()
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  await assertOnlyStaff(t, server, [PATH, `${PATH}/${alice.id}`, `${PATH}/${alice.id}/statuses`])
  const { browser } = await staffMember(t, server, 'moderator')
  for (const path of [`${PATH}/999999`, `${PATH}/x`, `${PATH}/999999/statuses`])
    assert.equal((await browser.get(path)).status, 404, path)
  await assertCsrf(browser, `${PATH}/batch`, { change: 'suspend' })
  await assertCsrf(browser, `${PATH}/${alice.id}/action`, { type: 'suspend' })
})

test('the list is filtered, and has pages', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const made = await Promise.all(
    Array.from({ length: 45 }, () => person(server, 'listed', { account: { display_name: 'Many of <us>' } })),
  )
  t.after(() => Promise.all(made.map(one => one.close())))
  await sql(server, `update accounts set silenced_at = now() where id = any ($1)`, [
    made.slice(0, 3).map(({ id }) => id),
  ])
  const shown = (text: string): string[] =>
    [...text.matchAll(/class="person" href="\/admin\/accounts\/(\d+)"/g)].map(([, id = '']) => id)
  const first = await browser.get(`${PATH}?username=listed_&origin=local`)
  assert.ok(readText(first).includes('Many of <us>'))
  const next = /href="([^"]*)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await browser.get(next)
  assert.deepEqual([shown(first.text).length, shown(second.text).length], [40, 5])
  assert.equal(new Set([...shown(first.text), ...shown(second.text)]).size, 45)

  const isOpen = /<details class="disclosure"\s+open>\s*<summary>Filter/
  assert.ok(isOpen.test(first.text) && !isOpen.test((await browser.get(PATH)).text))

  const one = made[0]
  assert.ok(one)
  for (const [query, count] of [
    ['username=listed_&status=silenced', 3],
    ['username=listed_&status=suspended', 0],
    ['username=listed_&origin=remote', 0],
    [`email=${one.username}@`, 1],
    [`username=@${one.username}`, 1],
    ['username=listed_&permissions=staff', 0],
    ['username=listed_&role=-99&status=silenced', 3],
    ['username=listed_&role=1', 0],
    ['by_domain=nowhere.example', 0],
    ['ip=192.0.2.7', 0],
    ['ip=nonsense', 0],
    ['display_name=Many%20of&status=silenced', 3],
  ] as const) {
    const page = await browser.get(`${PATH}?${query}`)
    assert.deepEqual([page.status, shown(page.text).length], [200, count], query)
  }
  assert.equal((await browser.get(`${PATH}?status=nonsense&origin=moon&invited_by=x&max_id=x`)).status, 200)
})

test('sign-ups are approved and rejected, accounts suspended, in batches', async t => {
  const server = await sharedServer()
  const { person: moderator, browser } = await staffMember(t, server, 'moderator')
  const { person: admin } = await staffMember(t, server, 'admin')
  const waiting = { account: { pending: true }, user: { approved: false, sign_up_reason: 'I like <mills>' } }
  const [alice, bob] = [await person(server, 'alice', waiting), await person(server, 'bob', waiting)]
  const carol = await person(server, 'carol')
  t.after(() => Promise.all([alice.close(), bob.close(), carol.close()]))
  const list = await browser.get(`${PATH}?status=pending`)
  assert.match(readText(list), /Waits for approval .* I like <mills>/)
  const send = async (change: string, ids: string[], sure = '1'): Promise<string> => {
    const { location } = await browser.submit(list, `${PATH}/batch`, { change, sure, 'ids[]': ids })
    assert.equal(location, `${PATH}?status=pending`)
    return readText(await browser.get(location))
  }
  // The key Enter in a checkbox presses the first button, which is disabled.
  assert.match(
    list.text,
    /<form action="\/admin\/accounts\/batch"[^>]*>(?:\s*<input type="hidden"[^>]*>)*\s*<button type="submit" disabled hidden>/,
  )
  assert.match(list.text, /value="approve"[^>]*\s+formnovalidate\s*>/)
  assert.doesNotMatch(list.text, /value="reject"[^>]*\s+formnovalidate\s*>/)
  assert.match(await send('approve', [alice.id, carol.id], '0'), /1 entry was changed/)
  for (const change of ['reject', 'suspend'])
    assert.match(await send(change, [bob.id], '0'), /Please confirm that you are sure\./, change)
  assert.equal((await moderator.get(`/api/v1/admin/accounts/${bob.id}`)).status, 200)
  assert.match(await send('reject', [bob.id]), /1 entry was changed/)
  // An account whose role is above the moderator's is skipped.
  assert.match(await send('suspend', [carol.id, admin.id]), /1 entry was changed/)
  assert.match(await send('approve', []), /Nothing was selected/)
  assert.equal((await alice.get('/api/v1/accounts/verify_credentials')).status, 200)
  assert.equal((await moderator.get(`/api/v1/admin/accounts/${bob.id}`)).status, 404)
  const state = async (id: string): Promise<unknown> =>
    ((await moderator.get(`/api/v1/admin/accounts/${id}`)).json as { suspended: boolean }).suspended
  assert.deepEqual([await state(carol.id), await state(admin.id)], [true, false])
  const logged = (await loggedActions(server, moderator)).map(entry => entry.split(' ')[0])
  assert.deepEqual(logged, ['approve', 'reject', 'suspend'])
})
