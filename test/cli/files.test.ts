import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
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

test('the pictures of old link previews are removed, or only counted', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  const cards = [
    ['old', 'link', 200],
    ['film', 'video', 200],
    ['young', 'link', 20],
  ] as const
  const keys = new Map<string, string>()
  for (const [name, type, days] of cards) {
    const key = await store(ctl, 'cards')
    keys.set(name, key)
    await ctl.sql(
      `insert into preview_cards (url, type, title, image_key, fetched_at)
       values ('https://a.example/${name}', '${type}', 'A', '${key}', now() - interval '${days} days')`,
    )
  }
  const remaining = async (): Promise<unknown[]> =>
    (
      await ctl.sql(`select split_part(url, '/', 4) as name from preview_cards where image_key is not null order by id`)
    ).map(({ name }) => name)
  const remove = (...given: string[]) => ctl.ok('preview_cards', 'remove', ...given)
  const said = (count: number, size: string, more = '') =>
    `Removed media from ${count} preview cards (approx. ${size})${more}\n`
  assert.equal(await remove('--dry-run'), said(2, '2.0 KB', ' (DRY RUN)'))
  assert.deepEqual(await remaining(), ['old', 'film', 'young'])
  assert.equal(await remove('--link'), said(1, '1000 Bytes'))
  assert.deepEqual(await remaining(), ['film', 'young'])
  assert.equal(existsSync(placeOf(ctl, keys.get('old') ?? '')), false)
  assert.equal(await ctl.ok('preview-cards', 'remove', '--days', '10'), said(2, '2.0 KB'))
  assert.deepEqual(await remaining(), [])
  assert.deepEqual(await ctl.sql(`select count(*)::int as n from events where kind = 'preview_card.changed'`), [
    { n: 3 },
  ])
})

test('media usage adds up the files of each kind, and of those the local ones', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  const [avatar, card, icon] = [await store(ctl, 'avatars'), await store(ctl, 'cards'), await store(ctl, 'site')]
  await ctl.sql(`update accounts set avatar = '{"key": "${avatar}", "static_key": "${avatar}"}'`)
  await ctl.sql(
    `insert into preview_cards (url, type, title, image_key, fetched_at)
     values ('https://a.example/', 'link', 'A', '${card}', now())`,
  )
  await ctl.sql(`insert into site_pictures (name, keys) values ('favicon', '{"32": "${icon}"}')`)
  assert.deepEqual(JSON.parse(await ctl.ok('media', 'usage', '--json')), [
    { object: 'Attachments', total: '0 Bytes', local: '0 Bytes' },
    { object: 'Custom Emoji', total: '0 Bytes', local: '0 Bytes' },
    { object: 'Avatars', total: '1000 Bytes', local: '1000 Bytes' },
    { object: 'Headers', total: '0 Bytes', local: '0 Bytes' },
    { object: 'Preview Cards', total: '1000 Bytes', local: '0 Bytes' },
    { object: 'Backups', total: '0 Bytes', local: '0 Bytes' },
    { object: 'Settings', total: '1000 Bytes', local: '1000 Bytes' },
  ])
})

test('files that no row names are removed, or only counted', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  const keys = await Promise.all(['avatars', 'cards', 'media', 'media', 'media'].map(kind => store(ctl, kind)))
  const [avatar = '', card = '', young = '', ...media] = keys
  const [first = '', second = ''] = media.toSorted()
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const key of [avatar, card, ...media]) await utimes(placeOf(ctl, key), hoursAgo, hoursAgo)
  await ctl.sql(`update accounts set avatar = '{"key": "${avatar}", "static_key": "${avatar}"}'`)
  const left = (): string[] => keys.filter(key => existsSync(placeOf(ctl, key))).toSorted()
  const remove = (...given: string[]) => ctl.ok('media', 'remove-orphans', ...given)
  assert.equal(await remove('--dry-run'), 'Removed 3 orphans (approx. 2.9 KB) (DRY RUN)\n')
  assert.deepEqual(left(), keys.toSorted())
  assert.equal(await remove('--prefix', 'media/', '--start-after', first), 'Removed 1 orphans (approx. 1000 Bytes)\n')
  assert.deepEqual(left(), [avatar, card, young, first].toSorted())
  assert.equal(existsSync(placeOf(ctl, second)), false)
  assert.equal(await remove('--fix-permissions'), 'Removed 2 orphans (approx. 2.0 KB)\n')
  assert.deepEqual(left(), [avatar, young].toSorted())
  assert.equal(await remove(), 'Removed 0 orphans (approx. 0 Bytes)\n')
})

test('a stored file leads to the page that shows it', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  const [shown, loose, avatar, emoji, unknown] = ['media', 'media', 'avatars', 'emojis', 'media'].map(kind =>
    makeKey(kind, 'png'),
  )
  const [status] = await ctl.sql(
    `with s as (insert into statuses (account_id, visibility) select id, 'public' from accounts where username = 'ada' returning id, account_id)
     insert into media_attachments (account_id, status_id, type, file_key)
     select s.account_id, s.id, 'image', '${shown}' from s
     returning status_id::text as id`,
  )
  await ctl.sql(
    `insert into media_attachments (account_id, type, file_key) select id, 'image', '${loose}' from accounts`,
  )
  await ctl.sql(`update accounts set avatar = '{"key": "${avatar}", "static_key": "${avatar}"}'`)
  await ctl.sql(
    `insert into custom_emojis (shortcode, image) values ('blob', '{"key": "${emoji}", "static_key": "${emoji}"}')`,
  )
  const at = (key: string | undefined): string => `https://ctl.example/media/${key}`
  const page = `https://ctl.example/@ada`
  assert.equal(await ctl.ok('media', 'lookup', at(shown)), `${page}/${String(status?.['id'])}\n`)
  assert.equal(await ctl.ok('media', 'lookup', `${at(avatar)}?1`), `${page}\n`)
  for (const [given, message] of [
    ['x', 'Invalid URL'],
    ['https://elsewhere.example/a.png', 'Not a media URL'],
    [at('media/a.png'), 'Not a media URL'],
    [at(unknown), 'Cannot find corresponding record'],
    [at(loose), 'No public URL for this type of record'],
    [at(emoji), 'No public URL for this type of record'],
  ] as const)
    assert.deepEqual(await ctl.run('media', 'lookup', given), { code: 1, out: '', err: `${message}\n` }, given)
})
