import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { runHere } from '../../cli/command.ts'
import { Browser } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { person, sql } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const PATH = '/severed_relationships'

/** An account of another server that somebody follows, and that follows back. */
async function friendOf(server: TestServer, owner: string, name: string, domain: string): Promise<string> {
  const [row] = await sql(
    server,
    `with made as (
       insert into accounts (username, domain, uri) values ($1, $2, 'https://' || $2 || '/' || $1) returning id
     ), followed as (
       insert into follows (account_id, target_account_id, show_reblogs, notify, languages)
       select $3::bigint, id, false, true, '{en,de}' from made
     ), following as (
       insert into follows (account_id, target_account_id) select id, $3 from made
     )
     select id::text from made`,
    [name, domain, owner],
  )
  return String(row?.['id'])
}

test('people see which follows they lost by blocks and suspensions, and save who it was', async t => {
  const server = await startServer(t)
  const alice = await personWithPassword(server, 'alice')
  const bob = await personWithPassword(server, 'bob')
  const moderator = await person(server, 'moderator', { roleId: 3 })
  t.after(() => Promise.all([alice.close(), bob.close(), moderator.close()]))
  await friendOf(server, alice.id, 'one', 'bad.example')
  await friendOf(server, alice.id, 'two', 'unwanted.example')
  const three = await friendOf(server, alice.id, 'three', 'far.example')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  assert.match((await browser.get(PATH)).text, /You have lost none/)
  assert.ok((await browser.get('/settings/exports')).text.includes(`href="${PATH}"`))

  const environment = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
    PUBLIC_URL: server.config.publicUrl,
  }
  const { code, err } = await runHere(['domains', 'block', 'bad.example', '--severity', 'suspend'], environment)
  assert.equal(code, 0, err)
  await alice.post('/api/v1/domain_blocks', { domain: 'unwanted.example' })
  await moderator.post(`/api/v1/admin/accounts/${three}/action`, { type: 'suspend' })
  const links = async () =>
    [...(await browser.get(PATH)).text.matchAll(/href="(\/severed_relationships\/\d+\/\w+\.csv)"/g)].map(
      found => found[1],
    )
  await becomes(async () => (await links()).length, 5, 'what each of them ended')
  const { text } = await browser.get(PATH)
  for (const cause of [/blocked bad\.example/, /You blocked unwanted\.example/, /three@far\.example was suspended/])
    assert.match(text, cause)
  const files = await Promise.all((await links()).map(async link => (await browser.get(link ?? '')).text))
  const header = 'Account address,Show boosts,Notify on new posts,Languages\n'
  assert.deepEqual(files.toSorted(), [
    'Account address\none@bad.example\n',
    'Account address\nthree@far.example\n',
    'Account address\ntwo@unwanted.example\n',
    `${header}one@bad.example,false,true,"en, de"\n`,
    `${header}two@unwanted.example,false,true,"en, de"\n`,
  ])
  const response = await browser.get((await links())[0] ?? '')
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="lost_\w+\.csv"$/)

  const other = new Browser(server)
  assert.equal((await other.get(PATH)).location, '/auth/sign_in')
  await other.signIn(bob.email, PASSWORD)
  assert.match((await other.get(PATH)).text, /You have lost none/)
  for (const link of await links()) assert.ok(!/@/.test((await other.get(link ?? '')).text), 'not those of others')
})
