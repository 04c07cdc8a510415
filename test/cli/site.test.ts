import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

test('rules are added, changed, translated, ordered and deleted', async t => {
  const ctl = await createCommandLine(t)
  assert.match(await ctl.ok('rules', 'add', 'Be kind', '--hint', 'Really'), /^OK, rule \d+\n$/)
  await ctl.ok('rules', 'add', 'No spam')
  const [first, second] = await ctl.sql('select id::text from rules order by position')
  const [kind, spam] = [String(first?.['id']), String(second?.['id'])]
  await ctl.ok('rules', 'change', kind, '--language', 'de', '--text', 'Sei nett')
  await ctl.ok('rules', 'change', spam, '--position', '0', '--text', 'Never spam')
  const shown = await ctl.ok('rules', 'list')
  assert.match(shown, /Never spam[^]*Be kind/)
  const [row] = await ctl.sql(`select text, hint, translations from rules where text = 'Be kind'`)
  assert.deepEqual(row, { text: 'Be kind', hint: 'Really', translations: { de: { text: 'Sei nett', hint: '' } } })
  await ctl.ok('rules', 'change', kind, '--language', 'de', '--text', '')
  await ctl.ok('rules', 'delete', spam)
  assert.doesNotMatch(await ctl.ok('rules', 'list'), /spam/)
  const [left] = await ctl.sql('select translations from rules where deleted_at is null')
  assert.deepEqual(left, { translations: {} })
})

test('terms of service are a draft until they are published', async t => {
  const ctl = await createCommandLine(t)
  const file = path.join(ctl.folder, 'terms.md')
  await writeFile(file, 'Be here.')
  assert.match(await ctl.ok('terms', 'add', file, '--effective', TOMORROW, '--changelog', 'All'), /^OK, terms \d+\n$/)
  const [made] = await ctl.sql('select id::text, published_at from terms_of_service')
  assert.equal(made?.['published_at'], null)
  await ctl.ok('terms', 'publish', String(made?.['id']))
  assert.match(await ctl.ok('terms', 'list'), new RegExp(`${TOMORROW} +published +All`))
  await ctl.ok('terms', 'delete', String(made?.['id']))
  assert.deepEqual(await ctl.sql('select from terms_of_service'), [])
})

test('a banner is resized to its versions, and a reset restores the built-in one', async t => {
  const ctl = await createCommandLine(t)
  const file = path.join(ctl.folder, 'banner.jpg')
  await writeFile(
    file,
    await sharp({ create: { width: 900, height: 900, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer(),
  )
  assert.equal(await ctl.ok('pictures', 'set', 'thumbnail', file), 'OK\n')
  const [row] = await ctl.sql('select keys, blurhash from site_pictures')
  const keys = row?.['keys'] as Record<string, string>
  assert.ok(typeof row?.['blurhash'] === 'string' && row['blurhash'].length > 20)
  const sizes = await Promise.all(
    ['@1x', '@2x'].map(async version => {
      const { width, height, format } = await sharp(path.join(ctl.folder, 'media', keys[version] ?? '')).metadata()
      return `${format} ${width}x${height}`
    }),
  )
  assert.deepEqual(sizes, ['png 1200x630', 'png 2400x1260'])
  assert.equal(await ctl.ok('pictures', 'reset', 'thumbnail'), 'OK\n')
  assert.deepEqual(await ctl.sql('select from site_pictures'), [])
})
