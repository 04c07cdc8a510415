import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'tap'
import { makeKey } from '../../src/platform/storage/index.ts'
import { createCommandLine, type CommandLine } from './command.ts'

const placeOf = (ctl: CommandLine, key: string): string => path.join(ctl.folder, 'media', key)

async function store(ctl: CommandLine, kind: string): Promise<string> {
  const key = makeKey(kind, 'png')
  await mkdir(path.dirname(placeOf(ctl, key)), { recursive: true })
  await writeFile(placeOf(ctl, key), 'x'.repeat(1000))
  return key
}

/** A remote account with copies of both pictures; returns their keys. */
async function addRemote(ctl: CommandLine, name: string, days: number): Promise<{ avatar: string; header: string }> {
  const [avatar, header] = [await store(ctl, 'avatars'), await store(ctl, 'headers')]
  const image = (key: string): string => `'{"key": "${key}", "static_key": "${key}", "type": "image/png"}'`
  await ctl.sql(
    `insert into accounts (username, domain, uri, avatar, header, avatar_remote_url, header_remote_url, fetched_at)
     values ('${name}', 'far.example', 'https://far.example/${name}', ${image(avatar)}, ${image(header)},
       'https://far.example/a.png', 'https://far.example/h.png', now() - interval '${days} days')`,
  )
  return { avatar, header }
}

test('copies of profile pictures are removed by their options, and announced', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  const [old, followed, young] = [
    await addRemote(ctl, 'old', 20),
    await addRemote(ctl, 'followed', 20),
    await addRemote(ctl, 'young', 2),
  ]
  await ctl.sql(
    `insert into follows (account_id, target_account_id)
     select l.id, r.id from accounts l, accounts r where l.username = 'ada' and r.username = 'followed'`,
  )
  const left = (): boolean[] =>
    [old, followed, young].flatMap(({ avatar, header }) => [avatar, header].map(key => existsSync(placeOf(ctl, key))))
  const remove = (...given: string[]): Promise<string> => ctl.ok('media', 'remove', ...given)
  const said = (count: number, size: string, more = ''): string =>
    `Visited ${count} accounts and removed profile media totaling ${size}${more}\n`

  assert.equal(await remove('--prune-profiles', '--include-follows', '--dry-run'), said(2, '3.9 KB', ' (DRY RUN)'))
  assert.deepEqual(left(), [true, true, true, true, true, true])
  assert.equal(await remove('--remove-headers', '-v'), `old@far.example\n${said(1, '1000 Bytes')}`)
  assert.deepEqual(left(), [true, false, true, true, true, true])
  assert.equal(await remove('--remove-headers'), said(0, '0 Bytes'))
  assert.equal(await remove('--prune-profiles'), said(1, '1000 Bytes'))
  assert.deepEqual(left(), [false, false, true, true, true, true])
  assert.equal(await remove('--prune-profiles', '--include-follows', '--days', '1'), said(2, '3.9 KB'))
  assert.deepEqual(left(), [false, false, false, false, false, false])
  assert.deepEqual(
    await ctl.sql(
      `select avatar ->> 'key' as avatar, header ->> 'static_key' as header from accounts where username = 'old'`,
    ),
    [{ avatar: 'https://far.example/a.png', header: 'https://far.example/h.png' }],
  )
  assert.deepEqual(
    await ctl.sql(
      `select count(*)::int as n from events where kind = 'account.changed' and data ->> 'change' = 'profile'
         and account_id in (select id from accounts where domain is not null)`,
    ),
    [{ n: 4 }],
  )
})

test('attachments of statuses with local interactions can be kept', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  await addRemote(ctl, 'far', 20)
  const names = ['plain', 'liked', 'kept', 'boosted', 'answered', 'quoted', 'liked_afar']
  for (const name of names) {
    const key = await store(ctl, 'media')
    await ctl.sql(
      `with s as (
         insert into statuses (account_id, visibility, local, uri, content, created_at)
         select id, 'public', false, 'https://far.example/${name}', '${name}', now() - interval '20 days'
         from accounts where username = 'far' returning id, account_id
       )
       insert into media_attachments (account_id, status_id, type, file_key, remote_url, created_at)
       select account_id, id, 'image', '${key}', 'https://far.example/1.png', now() - interval '20 days' from s`,
    )
  }
  const of = (name: string): string => `(select id from statuses where content = '${name}')`
  const ada = `(select id from accounts where username = 'ada')`
  const far = `(select id from accounts where username = 'far')`
  for (const statement of [
    `insert into favourites (account_id, status_id) values (${ada}, ${of('liked')})`,
    `insert into favourites (account_id, status_id) values (${far}, ${of('liked_afar')})`,
    `insert into bookmarks (account_id, status_id) values (${ada}, ${of('kept')})`,
    `insert into statuses (account_id, visibility, reblog_of_id) values (${ada}, 'public', ${of('boosted')})`,
    `insert into statuses (account_id, visibility, in_reply_to_id) values (${ada}, 'public', ${of('answered')})`,
    `with s as (insert into statuses (account_id, visibility, content) values (${ada}, 'public', 'quoting') returning id)
     insert into quotes (account_id, status_id, quoted_status_id, quoted_account_id, state)
     select ${ada}, s.id, ${of('quoted')}, ${far}, 'accepted' from s`,
  ])
    await ctl.sql(statement)
  const copied = async (): Promise<unknown[]> =>
    (
      await ctl.sql(
        `select s.content from media_attachments m join statuses s on s.id = m.status_id where m.file_key is not null order by m.id`,
      )
    ).map(({ content }) => content)

  const remove = (...given: string[]): Promise<string> => ctl.ok('media', 'remove', ...given)
  assert.equal(
    await remove('--keep-interacted', '--dry-run'),
    'Removed 2 media attachments (approx. 2.0 KB) (DRY RUN)\n',
  )
  assert.deepEqual(await copied(), names)
  assert.equal(await remove('--keep-interacted'), 'Removed 2 media attachments (approx. 2.0 KB)\n')
  assert.deepEqual(await copied(), names.slice(1, -1))
  assert.match(await remove('-v'), /^(\d+\n){5}Removed 5 media attachments \(approx\. 4\.9 KB\)\n$/)
  assert.deepEqual(await copied(), [])
})

test('conflicting options of media remove are refused', async t => {
  const ctl = await createCommandLine(t)
  for (const [given, message] of [
    [
      ['--prune-profiles', '--remove-headers'],
      '--prune-profiles and --remove-headers should not be specified simultaneously\n',
    ],
    [['--include-follows'], '--include-follows can only be used with --prune-profiles or --remove-headers\n'],
    [['-c', '0'], 'Cannot run with this concurrency setting, must be at least 1\n'],
    [['--concurrency', '-1'], 'Cannot run with this concurrency setting, must be at least 1\n'],
  ] as const)
    assert.deepEqual(await ctl.run('media', 'remove', ...given), { code: 1, out: '', err: message })
})
