import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../../support/people.ts'
import { entity, originalOf, processed, recording, streamsOf, TONE, upload, withoutFfmpeg } from './media_fixtures.ts'

const skip = withoutFfmpeg

test('audio becomes MP3; its cover is the preview', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const plain = await processed(alice, await recording('ogg', ...TONE, '-c:a', 'libvorbis'), { type: 'audio/ogg' })
  assert.equal(plain['type'], 'audio')
  assert.equal(plain['preview_url'], null)
  assert.equal(plain['blurhash'], null)
  assert.deepEqual(Object.keys(plain['meta'] as object), ['original'])
  assert.deepEqual(Object.keys(originalOf(plain)).toSorted(), ['bitrate', 'duration'])
  assert.deepEqual(await streamsOf(plain['url']), ['mp3'])
  const cover = [
    '-f',
    'lavfi',
    '-i',
    'color=c=navy:size=100x100:duration=1',
    '-frames:v',
    '1',
    '-c:v',
    'mjpeg',
    '-pix_fmt',
    'yuvj420p',
  ]
  const covered = await recording('mp3', ...TONE, ...cover, '-disposition:v', 'attached_pic', '-map', '0', '-map', '1')
  const made = await processed(alice, covered, { type: 'audio/mpeg' })
  assert.equal(made['type'], 'audio')
  const { small, colors } = made['meta'] as Record<string, Record<string, string>>
  assert.equal(small?.['size'], '100x100')
  for (const name of ['background', 'foreground', 'accent']) assert.match(colors?.[name] ?? '', /^#[0-9a-f]{6}$/)
  assert.match(colors?.['background'] ?? '', /^#0000[78]/)
  assert.deepEqual(await streamsOf(made['url']), ['mp3'])
})

test('other audio containers are accepted', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  for (const [extension, type] of [
    ['wav', 'audio/wav'],
    ['flac', 'audio/flac'],
    ['m4a', 'audio/mp4'],
    ['aac', 'audio/aac'],
    ['weba', 'audio/webm'],
    ['ogg', 'audio/ogg'],
  ] as const) {
    const args = extension === 'weba' ? [...TONE, '-c:a', 'libopus', '-f', 'webm'] : TONE
    const bytes = await recording(extension, ...args)
    const made = entity(await upload(alice, 'v1', bytes, { type }))
    assert.equal(made['type'], 'audio', extension)
    assert.ok(made['url'], extension)
    const accepted = entity(await upload(alice, 'v2', bytes, { type }), 202)
    assert.equal(accepted['type'], 'audio', extension)
    await alice.delete(`/api/v1/media/${accepted.id}`)
  }
})
