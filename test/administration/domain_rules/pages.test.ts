import assert from 'node:assert/strict'
import { test } from 'tap'
import { readHtml } from '../../support/browser.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, startServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const BLOCKS = '/admin/domain_blocks'
const ALLOWS = '/admin/domain_allows'

test('domain rules are for those who manage federation', async t => {
  const server = await sharedServer()
  const paths = [BLOCKS, ALLOWS].flatMap(path => [path, `${path}/new`, `${path}/import`, `${path}/export.csv`])
  await assertOnlyStaff(t, server, paths)
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(BLOCKS)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  assert.equal((await browser.get(`${BLOCKS}/999999/edit`)).status, 404)
  await assertCsrf(browser, BLOCKS, { domain: 'a.example' })
  await assertCsrf(browser, `${BLOCKS}/import/confirm`, { csv: 'a.example' })
})

test('a domain is blocked, changed and unblocked', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${BLOCKS}/new`)
  for (const [fields, message] of [
    [{ domain: 'no spaces' }, /not a valid domain name/],
    [{ domain: 'ok.example', severity: 'maybe' }, /Severity is not included/],
  ] as const) {
    const response = await browser.submit(form, BLOCKS, fields)
    assert.deepEqual([response.status, message.test(readText(response))], [422, true])
  }
  const authenticity_token = form.forms[0]?.fields['authenticity_token'] ?? ''
  const german = await browser.post(BLOCKS, { authenticity_token, domain: 'no spaces' }, { 'accept-language': 'de' })
  assert.match(readText(german), /Domain ist kein gültiger Name einer Domain/)
  const rule = { domain: 'Bad.Example', severity: 'silence', reject_media: '1', public_comment: 'Lots of <spam>' }
  assert.equal((await browser.submit(form, BLOCKS, rule)).location, BLOCKS)
  const refused = await browser.submit(form, BLOCKS, rule)
  assert.match(readText(refused), /already imposed stricter limits on bad\.example/)
  const existing = /<a href="([^"]+)">See the rule about bad\.example<\/a>/.exec(refused.text)?.[1] ?? ''
  assert.match(readText(await browser.get(existing)), /Edit the domain block bad\.example/)
  for (const [part, found] of [
    ['AD.exa', true],
    ['good', false],
  ] as const)
    assert.equal(readText(await browser.get(`${BLOCKS}?by_domain=${part}`)).includes('bad.example'), found, part)
  const list = await browser.get(BLOCKS)
  assert.match(readText(list), /bad\.example Accounts are limited Reject media Lots of <spam>/)
  const { json } = await person.get('/api/v1/admin/domain_blocks')
  const [block] = json as { id: string }[]
  const path = `${BLOCKS}/${block?.id ?? ''}`
  const edit = await browser.get(`${path}/edit`)
  await browser.submit(edit, path, { reject_media: null, obfuscate: '1' }, 'put')
  const changed = (await person.get(`/api/v1/admin/domain_blocks/${block?.id ?? ''}`)).json as Record<string, unknown>
  assert.deepEqual([changed['reject_media'], changed['obfuscate'], changed['severity']], [false, true, 'silence'])
  await browser.submit(list, `${BLOCKS}/batch`, { change: 'delete', 'ids[]': [block?.id ?? '', '999999'] })
  assert.match(readText(await browser.get(BLOCKS)), /1 entry was changed/)
  assert.deepEqual(
    (await loggedActions(server, person)).map(entry => entry.split(' ')[0]),
    ['create', 'update', 'destroy'],
  )
})

test('the links and changes of a filtered list of domain rules keep the filter', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  await sql(server, `insert into domain_blocks (domain) select 'many' || n || '.example' from generate_series(1, 41) n`)
  t.after(() => sql(server, `delete from domain_blocks where domain like 'many%'`))
  const first = await browser.get(`${BLOCKS}?by_domain=many`)
  assert.match(readText(await browser.get(`${BLOCKS}?by_domain=41`)), /many41\.example/)
  const next = readHtml(/href="([^"]+)" rel="next"/.exec(first.text)?.[1] ?? '')
  assert.match(next, /by_domain=many/)
  const second = await browser.get(next)
  assert.match(readText(second), /many1\.example/)
  const ids = /name="ids\[\]" value="(\d+)"/.exec(second.text)?.[1] ?? ''
  const changed = await browser.submit(second, `${BLOCKS}/batch`, { change: 'delete', 'ids[]': ids })
  assert.match(changed.location, /by_domain=many/)
})

test('a page says what a suspension deletes before a domain is suspended', async t => {
  const server = await startServer(t)
  const { person, browser } = await staffMember(t, server, 'admin')
  await sql(
    server,
    `with made as (
       insert into accounts (username, domain) values ('eve', 'lost.example'), ('mallory', 'sub.lost.example') returning id
     ) insert into follows (account_id, target_account_id) select $1, id from made`,
    [person.id],
  )
  const rulesOf = async (domain: string): Promise<unknown> =>
    sql(server, 'select severity, obfuscate, public_comment from domain_blocks where domain = $1', [domain])
  const form = await browser.get(`${BLOCKS}/new`)
  const rule = { domain: 'Lost.Example', severity: 'suspend', obfuscate: '1', public_comment: 'Lots of "spam"' }
  const asked = await browser.submit(form, BLOCKS, rule)
  assert.equal(asked.status, 200)
  assert.match(
    readText(asked),
    /Suspend lost\.example\?.*Accounts 2 .*Follows of them by members 2 .*Members who lose somebody 1/,
  )
  assert.deepEqual(await rulesOf('lost.example'), [])
  assert.equal((await browser.submit(form, BLOCKS, { ...rule, domain: 'no domain' })).status, 422)
  assert.equal((await browser.submit(asked, BLOCKS)).location, BLOCKS)
  const made = { severity: 'suspend', obfuscate: true, public_comment: 'Lots of "spam"' }
  assert.deepEqual(await rulesOf('lost.example'), [made])

  await browser.submit(form, BLOCKS, { domain: 'later.example', severity: 'silence' })
  const [found] = await sql(server, `select id::text from domain_blocks where domain = 'later.example'`)
  const path = `${BLOCKS}/${String(found?.['id'])}`
  const stricter = await browser.submit(await browser.get(`${path}/edit`), path, { severity: 'suspend' }, 'put')
  assert.match(readText(stricter), /Suspend later\.example\?.*nothing is lost now/)
  await browser.submit(stricter, path, {}, 'put')
  assert.deepEqual(await rulesOf('later.example'), [{ severity: 'suspend', obfuscate: false, public_comment: '' }])
  const again = await browser.submit(await browser.get(`${path}/edit`), path, { obfuscate: '1' }, 'put')
  assert.equal(again.location, BLOCKS)
})

test('a file is previewed before its selected rows are imported, and exported again', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${BLOCKS}/import`)
  const send = (text: string | Buffer) =>
    browser.submit(form, `${BLOCKS}/import`, { file: new File([text], 'blocks.csv', { type: 'text/csv' }) })
  for (const wrong of ['"open', Buffer.from([0xff, 0xfe]), 'a.example\n'.repeat(2002)])
    assert.match(readText(await send(wrong)), /no CSV file, or it has too many rows/)
  const csv =
    '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n' +
    'one.example,suspend,true,true,"Spam, <lots>",false\ntwo.example,silence,false,false,,true\n' +
    'three.example,noop,false,false,,false\nnot a domain,suspend,,,,\nfour.example,explode,,,,\n'
  const preview = await send(csv)
  assert.equal(preview.status, 200)
  assert.match(readText(preview), /2 rows have no valid domain.*one\.example Accounts are suspended.*Spam, <lots>/)
  assert.ok(!readText(await browser.get(BLOCKS)).includes('one.example'))
  const chosen = { change: 'import', 'domains[]': ['one.example', 'two.example'] }
  const done = await browser.submit(preview, `${BLOCKS}/import/confirm`, chosen)
  assert.match(readText(await browser.get(done.location)), /Added 2, skipped 0/)
  const again = await browser.submit(preview, `${BLOCKS}/import/confirm`, chosen)
  assert.match(readText(await browser.get(again.location)), /Added 0, skipped 2/)
  const exported = await browser.get(`${BLOCKS}/export.csv`)
  assert.match(exported.headers.get('content-disposition') ?? '', /domain_blocks\.csv/)
  assert.equal(
    exported.text,
    '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n' +
      'one.example,suspend,true,true,"Spam, <lots>",false\ntwo.example,silence,false,false,,true\n',
  )
})

test('the preview of a file says what each suspension deletes', async t => {
  const server = await sharedServer()
  const { browser, person: admin } = await staffMember(t, server, 'admin')
  await sql(
    server,
    `with made as (
       insert into accounts (username, domain)
       values ('ann', 'cost.example'), ('ben', 'sub.cost.example'), ('cy', 'deep.sub.cost.example') returning id
     )
     insert into follows (account_id, target_account_id) select $1, made.id from made`,
    [admin.id],
  )
  const form = await browser.get(`${BLOCKS}/import`)
  const csv =
    '#domain,#severity\ncost.example,suspend\nsub.cost.example,suspend\nnobody.example,\ndeep.sub.cost.example,silence\n'
  const file = new File([csv], 'blocks.csv', { type: 'text/csv' })
  const preview = readText(await browser.submit(form, `${BLOCKS}/import`, { file }))
  const costs = (domain: string, accounts: number): string =>
    `${domain} Accounts are suspended Deletes ${accounts} accounts with 0 posts; ` +
    `ends ${accounts} follows by members and 0 followers of members, of 1 member.`
  assert.ok(preview.includes(costs(' cost.example', 3)), preview)
  assert.ok(preview.includes(costs('sub.cost.example', 2)), preview)
  assert.match(preview, /nobody\.example Accounts are suspended No accounts of it are known here/)
  assert.match(preview, /deep\.sub\.cost\.example (?!.*Deletes)/)
})

test('domains are allowed, singly and from a file', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(`${ALLOWS}/new`)
  assert.equal((await browser.submit(form, ALLOWS, { domain: '-' })).status, 422)
  await browser.submit(form, ALLOWS, { domain: 'friend.example' })
  assert.match(readText(await browser.get(ALLOWS)), /limited federation mode, which is off.*friend\.example/)
  const upload = await browser.get(`${ALLOWS}/import`)
  const file = new File(['#domain\npal.example\nfriend.example\n'], 'allows.csv', { type: 'text/csv' })
  const preview = await browser.submit(upload, `${ALLOWS}/import`, { file })
  const chosen = { change: 'import', 'domains[]': ['pal.example', 'friend.example'] }
  const done = await browser.submit(preview, `${ALLOWS}/import/confirm`, chosen)
  const list = await browser.get(done.location)
  assert.match(readText(list), /Added 1, skipped 1/)
  assert.equal((await browser.get(`${ALLOWS}/export.csv`)).text, '#domain\nfriend.example\npal.example\n')
  const id = /value="(\d+)"/.exec(list.text)?.[1] ?? ''
  await browser.submit(list, `${ALLOWS}/batch`, { change: 'delete', 'ids[]': id })
  assert.match(readText(await browser.get(ALLOWS)), /1 entry was changed/)
})
