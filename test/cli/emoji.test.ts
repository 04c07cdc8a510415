import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { test } from 'tap'
import { makeKey } from '../../src/platform/storage/index.ts'
import { pack } from '../support/archive.ts'
import { createCommandLine, type CommandLine } from './command.ts'

const square = (background: string) => sharp({ create: { width: 16, height: 16, channels: 4, background } })

/** The files that the latest job removes. */
async function lastRemoval(ctl: CommandLine): Promise<string[]> {
  const jobs = await ctl.sql(`select payload -> 'keys' as keys from graphile_worker._private_jobs order by id`)
  return jobs.at(-1)?.['keys'] as string[]
}

test('an emoji is added, replaced and deleted with its files', async t => {
  const ctl = await createCommandLine(t)
  const file = path.join(ctl.folder, 'blob.gif')
  await writeFile(file, await square('red').gif().toBuffer())
  assert.equal(await ctl.ok('emoji', 'add', ':blob:', file, '--category', 'Blobs'), 'OK\n')
  const stored = async (): Promise<Record<string, string>> => {
    const [row] = await ctl.sql('select image from custom_emojis')
    return row?.['image'] as Record<string, string>
  }
  const first = await stored()
  const placeOf = (key: string | undefined): string => path.join(ctl.folder, 'media', key ?? '')
  assert.equal(first['type'], 'image/gif')
  assert.notEqual(first['key'], first['static_key'])
  assert.equal((await sharp(placeOf(first['static_key'])).metadata()).format, 'png')
  assert.match(await ctl.ok('emoji', 'list'), /^:blob: +Blobs +listed +image\/gif$/m)

  assert.match((await ctl.run('emoji', 'add', 'blob', file)).err, /^The emoji :blob: exists already/)
  await ctl.ok('emoji', 'add', 'blob', file, '--overwrite', '--unlisted')
  assert.notEqual((await stored())['key'], first['key'])
  // Jobs of the server remove files: those of the refused one, then those of the replaced one.
  assert.deepEqual(await lastRemoval(ctl), [first['key'], first['static_key']])
  const usage = await ctl.ok('media', 'usage')
  assert.match(usage, /^Custom Emoji +[1-9]\d* Bytes +[1-9]/m)

  const last = await stored()
  await ctl.ok('emoji', 'delete', 'blob')
  assert.deepEqual(await lastRemoval(ctl), [last['key'], last['static_key']])
  assert.equal((await ctl.run('emoji', 'delete', 'blob')).err, 'No such emoji\n')
})

test('the still version of an emoji is a PNG', async t => {
  const ctl = await createCommandLine(t)
  for (const type of ['png', 'jpeg', 'webp'] as const) {
    const file = path.join(ctl.folder, `cat.${type}`)
    await writeFile(file, await square('red').toFormat(type).toBuffer())
    await ctl.ok('emoji', 'add', type, file)
    const [row] = await ctl.sql(`select image from custom_emojis where shortcode = '${type}'`)
    assert.match((row as { image: { static_key: string } }).image.static_key, /\.png$/, type)
  }
})

test('a category features one emoji at a time, until the emoji leaves the category', async t => {
  const ctl = await createCommandLine(t)
  const file = path.join(ctl.folder, 'cat.png')
  await writeFile(file, await square('red').png().toBuffer())
  for (const name of ['one', 'two']) await ctl.ok('emoji', 'add', name, file, '--category', 'Cats')
  await ctl.ok('emoji', 'add', 'loose', file)
  const featured = async (): Promise<unknown[]> =>
    (await ctl.sql('select shortcode from custom_emojis where featured')).map(row => row['shortcode'])
  for (const name of ['one', ':two:', 'two']) await ctl.ok('emoji', 'feature', name)
  assert.deepEqual(await featured(), ['two'])
  assert.match(await ctl.ok('emoji', 'list'), /^:two: +Cats \(stands for it\)/m)
  for (const name of ['loose', 'none']) {
    assert.equal((await ctl.run('emoji', 'feature', name)).err, 'No such emoji in a category\n')
  }
  await ctl.ok('emoji', 'add', 'two', file, '--overwrite')
  assert.deepEqual(await featured(), ['two'])
  await ctl.ok('emoji', 'add', 'two', file, '--overwrite', '--category', 'Dogs')
  assert.deepEqual(await featured(), [])
})

test('invalid emojis are refused', async t => {
  const ctl = await createCommandLine(t)
  const file = path.join(ctl.folder, 'x.png')
  await writeFile(file, Buffer.alloc(262_144, 1))
  assert.equal((await ctl.run('emoji', 'add', 'big', file)).err, 'The picture must be smaller than 256 KiB\n')
  await writeFile(file, 'no picture')
  assert.equal((await ctl.run('emoji', 'add', 'odd', file)).err, 'The picture must be a PNG, GIF, WebP or JPEG file\n')
  await writeFile(file, (await square('red').png().toBuffer()).subarray(0, 40))
  assert.equal((await ctl.run('emoji', 'add', 'cut', file)).err, 'The picture cannot be read\n')
  assert.match((await ctl.run('emoji', 'add', 'a b', file)).err, /^A shortcode has 2 to 128 letters/)
  assert.match((await ctl.run('emoji', 'add', 'none', `${file}.missing`)).err, /cannot be read\n$/)
  assert.deepEqual(await ctl.sql('select shortcode from custom_emojis'), [])
})

test('an archive of emojis is imported, and existing emojis are skipped', async t => {
  const ctl = await createCommandLine(t)
  const png = await square('blue').png().toBuffer()
  const archive = path.join(ctl.folder, 'emojis.tar.gz')
  await writeFile(
    archive,
    pack({
      'set/cat.png': png,
      'set/dog.png': png,
      'set/._cat.png': png,
      'set/README.md': png,
      'set/bad.png': Buffer.from('x'),
    }),
  )
  const first = await ctl.run('emoji', 'import', archive, '--prefix', 'my_', '--category', 'Pets')
  assert.deepEqual(first, {
    code: 0,
    out: 'Imported 2, skipped 0, failed to import 1\n',
    err: 'set/bad.png: The picture must be a PNG, GIF, WebP or JPEG file\n',
  })
  const again = await ctl.run('emoji', 'import', archive, '--prefix', 'my_')
  assert.equal(again.out, 'Imported 0, skipped 2, failed to import 1\n')
  assert.equal(
    (await ctl.run('emoji', 'import', archive, '--prefix', 'my_', '--overwrite')).out.slice(0, 10),
    'Imported 2',
  )
  assert.deepEqual(await ctl.sql('select shortcode, category from custom_emojis order by 1'), [
    { shortcode: 'my_cat', category: 'Pets' },
    { shortcode: 'my_dog', category: 'Pets' },
  ])
  await writeFile(archive, gzipSync('nothing'.repeat(200)))
  assert.equal((await ctl.run('emoji', 'import', archive)).err, 'The file is not a tar archive\n')
})

test('emojis are exported into an archive that can be imported, and purged', async t => {
  const [ctl, other] = [await createCommandLine(t), await createCommandLine(t)]
  const file = path.join(ctl.folder, 'cat.gif')
  await writeFile(file, await square('red').gif().toBuffer())
  for (const [name, category] of [
    ['dog', 'Pets'],
    ['cat', 'Pets'],
    ['oak', 'Trees'],
  ] as const)
    await ctl.ok('emoji', 'add', name, file, '--category', category)
  const folder = path.join(ctl.folder, 'out')
  await mkdir(folder)
  const pets = await ctl.ok('emoji', 'export', folder, '--category', 'Pets')
  assert.equal(pets, "Adding 'cat'...\nAdding 'dog'...\nExported 2\n")
  const archive = path.join(folder, 'export.tar.gz')
  const again = await ctl.run('emoji', 'export', folder)
  assert.deepEqual(again, {
    code: 1,
    out: '',
    err: "Archive already exists! Use '--overwrite' to overwrite it!\n",
  })
  assert.equal((await ctl.run('emoji', 'export', archive)).err, again.err)
  assert.equal(
    (await ctl.run('emoji', 'export', `${archive}.2`, '--category', 'x')).err,
    "Unable to find category 'x'!\n",
  )
  assert.match(
    (await ctl.run('emoji', 'export', path.join(folder, 'none', 'a.tar.gz'))).err,
    /a\.tar\.gz cannot be written\n$/,
  )
  assert.match(await ctl.ok('emoji', 'export', folder, '--overwrite'), /\nExported 3\n$/)
  assert.deepEqual(await readdir(folder), ['export.tar.gz'])
  assert.equal(await other.ok('emoji', 'import', archive), 'Imported 3, skipped 0, failed to import 0\n')
  const empty = path.join(folder, 'empty.tar.gz')
  const none = await createCommandLine(t)
  assert.equal(await none.ok('emoji', 'export', empty), 'Exported 0\n')
  assert.equal(await other.ok('emoji', 'import', empty), 'Imported 0, skipped 0, failed to import 0\n')
  const names = async (line: typeof ctl): Promise<unknown[]> =>
    (await line.sql('select shortcode from custom_emojis order by 1')).map(row => row['shortcode'])
  assert.deepEqual(await names(other), ['cat', 'dog', 'oak'])

  await ctl.ok('domains', 'block', 'bad.example', '--severity', 'suspend')
  const key = makeKey('emojis', 'png')
  for (const domain of ['bad.example', 'sub.bad.example', 'good.example'])
    await ctl.sql(
      `insert into custom_emojis (shortcode, domain, image) values ('far_${domain.split('.')[0]}', '${domain}', '{"key": "${key}", "static_key": "${key}"}')`,
    )
  const purge = async (...given: string[]): Promise<unknown[]> => {
    assert.equal(await ctl.ok('emoji', 'purge', ...given), 'OK\n')
    return names(ctl)
  }
  assert.deepEqual(await purge('--suspended-only'), ['cat', 'dog', 'far_good', 'oak'])
  assert.deepEqual(await purge('--remote-only'), ['cat', 'dog', 'oak'])
  const stored = await ctl.sql(
    `select image ->> name as key from custom_emojis cross join (values ('key'), ('static_key')) given (name) order by 1`,
  )
  assert.deepEqual(await purge(), [])
  assert.deepEqual(
    (await lastRemoval(ctl)).toSorted(),
    stored.map(row => row['key']),
  )
})
