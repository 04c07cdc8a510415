import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/invites'

test('only those who manage invites see and deactivate them', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  for (const path of [`${PATH}/batch`, `${PATH}/deactivate_all`]) {
    await assertCsrf(browser, path, { change: 'deactivate', 'ids[]': '1' })
  }
})

test('the invites of all users are filtered and deactivated', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const member = await staffMember(t, server, null)
  await sql(
    server,
    `insert into invites (user_id, code, comment, max_uses, uses)
     values ($1, 'AAAAbbbb', 'for <friends>', 5, 0), ($1, 'CCCCdddd', null, null, 0), ($1, 'EEEEffff', null, 1, 1)`,
    [member.person.userId],
  )
  const isGood = async (code: string): Promise<boolean> => {
    const headers = { accept: 'application/json' }
    return (await new Client(server).request('GET', `/invite/${code}`, { headers })).status === 200
  }
  const all = await browser.get(PATH)
  assert.match(readText(all), new RegExp(`CCCCdddd.*AAAAbbbb.*@${member.person.username}.*0 / 5.*for <friends>`))
  const available = readText(await browser.get(`${PATH}?state=available`))
  assert.ok(available.includes('AAAAbbbb') && !available.includes('EEEEffff'))
  const expired = await browser.get(`${PATH}?state=expired`)
  assert.ok(expired.text.includes('EEEEffff') && !expired.text.includes('AAAAbbbb'))

  const [row] = await sql(server, `select id::text from invites where code = 'AAAAbbbb'`)
  assert.equal(await isGood('AAAAbbbb'), true)
  await browser.submit(all, `${PATH}/batch`, { change: 'deactivate', 'ids[]': [String(row?.['id']), '999999'] })
  assert.deepEqual([await isGood('AAAAbbbb'), await isGood('CCCCdddd')], [false, true])
  await browser.submit(all, `${PATH}/deactivate_all`)
  assert.equal(await isGood('CCCCdddd'), false)
  assert.match(readText(await browser.get(PATH)), /1 entry was changed/)
  assert.deepEqual(await loggedActions(server, person), ['disable Invite AAAAbbbb', 'disable Invite CCCCdddd'])
})

test('long lists of invites have pages', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  await sql(
    server,
    `insert into invites (user_id, code, expires_at) select $1, 'page' || n, now() from generate_series(100, 159) n`,
    [person.userId],
  )
  const first = await browser.get(`${PATH}?state=expired`)
  const older = /href="([^"]*max_id=\d+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await browser.get(older)
  const codes = [first, second].flatMap(({ text }) => text.match(/\/invite\/page\d+/g) ?? [])
  assert.equal(new Set(codes).size, 60)
})

test('an invite is made on behalf of oneself and of users below the own role only', async t => {
  const server = await sharedServer()
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const { person: owner } = await staffMember(t, server, 'owner')
  const { person: colleague } = await staffMember(t, server, 'admin')
  const { person: moderator } = await staffMember(t, server, 'moderator')
  const { person: member } = await staffMember(t, server, null)
  const page = await browser.get(PATH)
  for (const [person, status, made] of [
    [owner, 403, 0],
    [colleague, 403, 0],
    [moderator, 303, 1],
    [member, 303, 1],
    [admin, 303, 1],
  ] as const) {
    const response = await browser.submit(page, PATH, { username: `@${person.username}` })
    const rows = await sql(server, 'select from invites where user_id = $1', [person.userId])
    assert.deepEqual([person.username, response.status, rows.length], [person.username, status, made])
  }
})
