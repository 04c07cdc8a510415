import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity } from '../../media/attachments/media_fixtures.ts'
import { Browser } from '../../support/browser.ts'
import { person, sql, waitForEventLog } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { owner, PAGE } from './export_fixtures.ts'

test('relationships and bookmarks are exported as CSV with the columns that other servers import', async t => {
  const server = await sharedServer()
  const { person: alice, browser } = await owner(t, server, 'alice')
  const bob = await person(server, 'bob')
  const carol = await person(server, 'carol')
  t.after(() => Promise.all([bob.close(), carol.close()]))
  const [remote] = await sql(
    server,
    `insert into accounts (username, domain, uri) values ('dora', 'far.example', 'https://far.example/dora') returning id::text as id`,
  )
  await waitForEventLog(bob)
  await alice.follow(bob, { reblogs: false, notify: true, languages: ['de', 'en'] })
  await alice.follow(carol)
  await sql(server, 'insert into mutes (account_id, target_account_id, hide_notifications) values ($1, $2, false)', [
    alice.id,
    remote?.['id'],
  ])
  const list = entity(await alice.post('/api/v1/lists', { title: 'dear, "old" friends' }))
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id, carol.id] })
  await alice.post(`/api/v1/accounts/${String(remote?.['id'])}/block`)
  await alice.post('/api/v1/domain_blocks', { domain: 'bad.example' })
  const status = await bob.postStatus('keep this')
  const hidden = await bob.postStatus('and this', { visibility: 'private' })
  for (const { id } of [status, hidden]) await alice.post(`/api/v1/statuses/${id}/bookmark`)
  const at = new URL(server.url).host
  const [b, c] = [`${bob.username}@${at}`, `${carol.username}@${at}`]
  const expected: Record<string, [fileName: string, lines: string[]]> = {
    follows: [
      'following_accounts.csv',
      ['Account address,Show boosts,Notify on new posts,Languages', `${b},false,true,"de, en"`, `${c},true,false,`],
    ],
    lists: ['lists.csv', [b, c].map(acct => `"dear, ""old"" friends",${acct}`)],
    blocks: ['blocked_accounts.csv', ['dora@far.example']],
    mutes: ['muted_accounts.csv', ['Account address,Hide notifications', 'dora@far.example,false']],
    domain_blocks: ['blocked_domains.csv', ['bad.example']],
    bookmarks: ['bookmarks.csv', [String(status['uri']), String(hidden['uri'])]],
  }
  const page = await browser.get(PAGE)
  for (const [name, [fileName, lines]] of Object.entries(expected)) {
    assert.ok(page.text.includes(`href="${PAGE}/${name}.csv"`), name)
    const { status: code, headers, text } = await browser.get(`${PAGE}/${name}.csv`)
    assert.deepEqual([code, text], [200, `${lines.join('\n')}\n`], name)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(headers.get('content-disposition'), `attachment; filename="${fileName}"`)
    assert.equal(headers.get('cache-control'), 'private, no-store')
  }
  assert.equal((await browser.get(`${PAGE}/passwords.csv`)).status, 404)
  assert.equal((await browser.get(`${PAGE}/follows`)).status, 404)
  assert.equal((await new Browser(server).get(`${PAGE}/follows.csv`)).location, '/auth/sign_in')
})

test('a large CSV export is read page by page, and an empty one has no lines', async t => {
  const server = await sharedServer()
  const { person: alice, browser } = await owner(t, server, 'alice')
  await sql(
    server,
    `with crowd as (
       insert into accounts (username, domain, uri) select 'm_' || i, 'many.example', 'https://many.example/' || i from generate_series(1, 2345) i
       returning id
     )
     insert into blocks (account_id, target_account_id) select $1, crowd.id from crowd`,
    [alice.id],
  )
  assert.equal((await browser.get(`${PAGE}/blocks.csv`)).text.trim().split('\n').length, 2345)
  assert.equal((await browser.get(`${PAGE}/bookmarks.csv`)).text, '')
})
