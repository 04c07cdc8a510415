import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'tap'
import { sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { loggedActions, readText, staffMember } from '../staff_fixtures.ts'

test('an account of another server is merged into another one of the same person', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  const rows = await sql(
    server,
    `insert into accounts (username, domain, uri, public_key)
     select name, name || '.example', 'https://' || name || '.example/1', case name when 'other' then 'b' else 'a' end
     from unnest(array['old', 'new', 'other']) name returning id::text`,
  )
  const path = `/admin/accounts/${String(rows[0]?.['id'])}`
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [admin.id, rows[0]?.['id']])
  const send = async (fields: Record<string, string>) => {
    const response = await browser.submit(await browser.get(path), `${path}/merge`, fields)
    return readText(await browser.get(response.location))
  }
  assert.ok(!(await moderator.get(path)).text.includes(`${path}/merge`))
  const token = (await moderator.get(path)).forms[0]?.fields['authenticity_token'] ?? ''
  const refused = await moderator.post(`${path}/merge`, {
    authenticity_token: token,
    target: 'new@new.example',
    sure: '1',
  })
  assert.equal(refused.status, 403)
  assert.match(await send({ target: 'new@new.example' }), /confirm that you are sure/)
  assert.match(await send({ target: 'nobody@new.example', sure: '1' }), /other account is not known here/)
  assert.match(await send({ target: 'old@old.example', sure: '1' }), /Both are the same account/)
  assert.match(await send({ target: 'other@other.example', sure: '1' }), /public keys differ, so that/)
  assert.match(await send({ target: '@new@new.example', sure: '1' }), /merged into new@new\.example/)
  assert.deepEqual(await sql(server, `select username from accounts where domain is not null order by id`), [
    { username: 'new' },
    { username: 'other' },
  ])
  const followed =
    'select a.username from follows f join accounts a on a.id = f.target_account_id where f.account_id = $1'
  assert.deepEqual(await sql(server, followed, [admin.id]), [{ username: 'new' }])
  assert.deepEqual(await loggedActions(server, admin), ['merge Account old@old.example → new@new.example'])
})

test('accounts that change while they are merged are checked as they are then', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'admin')
  const [row] = await sql(
    server,
    `insert into accounts (username, domain, uri, public_key)
     select name, name || '.example', 'https://' || name || '.example/1', 'a' from unnest(array['old', 'new']) name returning id::text`,
  )
  const path = `/admin/accounts/${String(row?.['id'])}`
  const page = await browser.get(path)
  /** Merges while a transaction changes the other account, and returns the notice. */
  async function mergeDuring(change: string): Promise<string> {
    const changer = new pg.Client({ connectionString: server.databaseUrl })
    await changer.connect()
    try {
      await changer.query('begin')
      await changer.query(change)
      const merging = browser.submit(page, `${path}/merge`, { target: 'new@new.example', sure: '1' })
      const waiting = `select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`
      while ((await changer.query(waiting)).rowCount === 0);
      await changer.query('commit')
      return readText(await browser.get((await merging).location))
    } finally {
      await changer.end()
    }
  }
  assert.match(await mergeDuring(`update accounts set public_key = 'b' where username = 'new'`), /public keys differ/)
  assert.match(await mergeDuring(`delete from accounts where username = 'new'`), /other account is not known here/)
  assert.deepEqual(await sql(server, `select username from accounts where domain is not null`), [{ username: 'old' }])
})
