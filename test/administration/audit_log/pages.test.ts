import assert from 'node:assert/strict'
import { test } from 'tap'
import { readHtml, type Page } from '../../support/browser.ts'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertOnlyStaff, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/audit_log'

/** The target of a link with this `rel`. */
const linkOf = (page: Page, rel: string): string =>
  readHtml(new RegExp(`href="([^"]*)" rel="${rel}"`).exec(page.text)?.[1] ?? '')

test('the audit log needs the permission to view it', async t => {
  await assertOnlyStaff(t, await sharedServer(), [PATH])
})

test('the audit log lists actions newest first, with filters and pages', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'moderator')
  const name = `@<${person.username}>`
  await sql(
    server,
    `insert into admin_action_logs (account_id, action, target_type, target_id, target_name)
     select $1, case when n % 2 = 0 then 'suspend' else 'silence' end, 'Account', n, $2 || n from generate_series(1, 120) n`,
    [person.id, name],
  )
  await sql(
    server,
    `insert into admin_action_logs (action, target_type, target_name) values ('create', 'DomainBlock', 'x.example')`,
  )

  const first = await browser.get(PATH)
  assert.match(readText(first), /Command line Created Domain block x\.example/)
  assert.ok(readHtml(first.text).includes(`<a href="/admin/accounts/120"><bdi>${name}120</bdi></a>`))
  const mine = await browser.get(`${PATH}?moderator=${person.username.toUpperCase()}&action_type=suspend`)
  assert.ok(!readText(mine).includes('x.example'))
  const shown = (page: Page): string[] => [...readHtml(page.text).matchAll(/>@<[^>]*>(\d+)</g)].map(([, n = '']) => n)
  assert.deepEqual([shown(mine).length, shown(mine)[0], shown(mine).at(-1)], [50, '120', '22'])
  const older = await browser.get(linkOf(mine, 'next'))
  assert.deepEqual(shown(older), ['20', '18', '16', '14', '12', '10', '8', '6', '4', '2'])
  assert.equal(linkOf(older, 'next'), '')
  const back = await browser.get(linkOf(older, 'prev'))
  assert.deepEqual(shown(back), shown(mine))
  assert.equal(linkOf(back, 'prev'), '')

  const one = await browser.get(`${PATH}?target_type=Account&target_id=7`)
  assert.deepEqual(shown(one), ['7'])
  const operator = await browser.get(`${PATH}?operator=1`)
  assert.deepEqual([shown(operator), readText(operator).includes('x.example')], [[], true])
  assert.match(readText(await browser.get(`${PATH}?action_type=nothing`)), /No entries match/)
  for (const query of ['target_id=x', 'max_id=x', 'max_id=99999999999999999999', 'moderator[]=a'])
    assert.ok((await browser.get(`${PATH}?${query}`)).status < 500, query)
})
