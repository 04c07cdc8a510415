import assert from 'node:assert/strict'
import { test } from 'tap'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertOnlyStaff, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/instances'

test('known servers are listed with their accounts and rules', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  assert.match(readText(await browser.get(PATH)), /No other servers are known/)
  await sql(
    server,
    `insert into accounts (username, domain)
     select 'a' || n, 'host' || lpad(n::text, 2, '0') || '.example' from generate_series(1, 45) n
     union all select 'b', 'host01.example'`,
  )
  await sql(server, `insert into domain_blocks (domain, severity) values ('host02.example', 'silence')`)
  const first = await browser.get(PATH)
  assert.match(readText(first), /host01\.example 2 Block .*host02\.example 1 Accounts are limited/)
  assert.ok(!readText(first).includes('host41.example'))
  const next = /href="([^"]*)" rel="next"/.exec(first.text)?.[1] ?? ''
  const second = readText(await browser.get(next))
  assert.ok(
    second.includes('host41.example') && second.includes('host45.example') && !second.includes('host40.example'),
  )
  const some = readText(await browser.get(`${PATH}?by_domain=HOST4`))
  assert.ok(some.includes('host40.example') && !some.includes('host39.example'), some)
  assert.match(readText(await browser.get(`${PATH}?by_domain=zzz`)), /No other servers are known/)
})

test('the address of a server in other clients leads to the list of servers from there', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [`${PATH}/far.example`])
  const { browser } = await staffMember(t, server, 'admin')
  await sql(server, `insert into accounts (username, domain) values ('a', 'xn--bcher-kva.example')`)
  for (const domain of ['xn--bcher-kva.example', 'b%C3%BCcher.example']) {
    const { location } = await browser.get(`${PATH}/${domain}`)
    assert.equal(location, `${PATH}?by_domain=xn--bcher-kva.example`)
    assert.match(readText(await browser.get(location)), /xn--bcher-kva\.example 1 /)
  }
  assert.equal((await browser.get(`${PATH}/purge`)).location, PATH, 'another page')
})
