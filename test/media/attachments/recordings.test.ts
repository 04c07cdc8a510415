import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { test } from 'tap'
import { people, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import {
  entity,
  errorOf,
  fetchFile,
  isThere,
  FILM,
  movingGif,
  originalOf,
  picture,
  processed,
  recording,
  streamsOf,
  TONE,
  until,
  upload,
  withoutFfmpeg,
} from './media_fixtures.ts'

const skip = withoutFfmpeg

test('a video is converted to MP4 that every browser plays', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const bytes = await recording(
    'webm',
    ...FILM,
    ...TONE,
    '-c:v',
    'libvpx',
    '-c:a',
    'libopus',
    '-metadata',
    'title=secret',
  )
  const made = await processed(alice, bytes, { type: 'video/webm', description: 'a test picture', focus: '0,1' })
  assert.equal(made['type'], 'video')
  assert.equal(made['description'], 'a test picture')
  const original = originalOf(made)
  assert.deepEqual([original['width'], original['height'], original['frame_rate']], [64, 48, '10/1'])
  assert.ok(Math.abs(Number(original['duration']) - 1) < 0.2, String(original['duration']))
  assert.ok(Number.isInteger(original['bitrate']))
  assert.deepEqual((made['meta'] as Record<string, unknown>)['focus'], { x: 0, y: 1 })
  assert.equal(String(made['blurhash']).length, 36)
  assert.deepEqual(await streamsOf(made['url']), ['h264', 'aac'])
  const file = await fetchFile(made['url'])
  assert.equal(file.headers.get('content-type'), 'video/mp4')
  assert.ok(!file.bytes.includes('secret'))
  const still = await sharp((await fetchFile(made['preview_url'])).bytes).metadata()
  assert.deepEqual([still.width, still.height], [64, 48])
  const status = await alice.postStatus('a film', { media_ids: [made.id] })
  assert.deepEqual(status['media_attachments'], [made])
})

test('a video without sound and an animated GIF become gifv', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const silent = await recording('mp4', ...FILM, '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
  assert.equal((await processed(alice, silent, { type: 'video/mp4' }))['type'], 'gifv')
  const gif = await processed(alice, await movingGif(31, 21), { type: 'image/gif' })
  assert.equal(gif['type'], 'gifv')
  assert.deepEqual([originalOf(gif)['width'], originalOf(gif)['height']], [30, 20])
  assert.deepEqual(await streamsOf(gif['url']), ['h264'])
  assert.equal(entity(await upload(alice, 'v2', await picture(20, 20).gif().toBuffer()))['type'], 'image')
})

test('an uploaded thumbnail remains the preview, and can be changed', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const bytes = await recording('mp3', ...TONE)
  const thumbnail = await picture(90, 60, '#00aa00').png().toBuffer()
  const made = await processed(alice, bytes, { type: 'audio/mpeg', thumbnail })
  assert.equal((await sharp((await fetchFile(made['preview_url'])).bytes).metadata()).width, 90)
  assert.ok('colors' in (made['meta'] as object))
  const form = new FormData()
  form.append('thumbnail', new Blob([Uint8Array.from(await picture(50, 50).jpeg().toBuffer())]), 'x.jpg')
  const changed = entity(await alice.put(`/api/v1/media/${made.id}`, form))
  assert.notEqual(changed['preview_url'], made['preview_url'])
  assert.equal((await sharp((await fetchFile(changed['preview_url'])).bytes).metadata()).width, 50)
  assert.equal(changed['url'], made['url'])
  await until(
    () => isThere(made['preview_url']),
    there => !there,
    'the old preview to be removed',
  )
  const wrong = new FormData()
  wrong.append('thumbnail', new Blob([Uint8Array.from(bytes)]), 'x.jpg')
  assert.equal((await alice.put(`/api/v1/media/${made.id}`, wrong)).status, 422)
})

test('version 1 waits until the file is ready', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const bytes = await recording('mov', ...FILM, ...TONE, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac')
  const made = entity(await upload(alice, 'v1', bytes, { type: 'video/quicktime' }))
  assert.equal(made['type'], 'video')
  assert.deepEqual(await streamsOf(made['url']), ['h264', 'aac'])
})

test('videos that are too large, too fast or invalid are refused at once', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const film = (size: string, rate: number): Promise<Buffer> =>
    recording(
      'mp4',
      '-f',
      'lavfi',
      '-i',
      `color=size=${size}:rate=${rate}:duration=0.2`,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
    )
  const cases: [Buffer, string, string][] = [
    [await film('4096x2160', 5), 'video/mp4', '4096x2160 videos are not supported'],
    [await film('8192x4320', 5), 'video/mp4', '8192x4320 videos are not supported'],
    [await film('64x64', 240), 'video/mp4', '240fps videos are not supported'],
    [await recording('mp4', ...TONE), 'video/mp4', 'Video has no video stream'],
    [
      Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'),
      'video/mp4',
      'File type of uploaded media could not be verified',
    ],
    [await recording('mkv', ...FILM), 'video/webm', 'Validation failed: File content type is invalid, File is invalid'],
  ]
  for (const version of ['v1', 'v2'] as const)
    for (const [bytes, type, error] of cases) {
      const refused = await upload(alice, version, bytes, { type })
      assert.equal(refused.status, 422, refused.text)
      assert.equal(errorOf(refused), error)
    }
})

test('a failed conversion is reported, and leaves no file', { skip }, async t => {
  const { alice, server } = await people(t, 'alice')
  const whole = await recording('mp4', ...FILM, '-c:v', 'libx264', '-movflags', '+faststart')
  // Its header is complete, so it is accepted; its frames are missing.
  const begin = whole.indexOf('mdat') + 4
  const broken = Buffer.concat([whole.subarray(0, begin), Buffer.alloc(whole.length - begin)])
  const accepted = entity(await upload(alice, 'v2', broken, { type: 'video/mp4' }), 202)
  const failed = await until(
    () => alice.get(`/api/v1/media/${accepted.id}`),
    response => response.status !== 206,
    'the conversion to end',
  )
  assert.equal(failed.status, 422)
  assert.equal(errorOf(failed), 'Error processing thumbnail for uploaded media')
  const waited = await upload(alice, 'v1', broken, { type: 'video/mp4' })
  assert.equal(waited.status, 500)
  assert.equal(errorOf(waited), 'Error processing thumbnail for uploaded media')
  const uploads = path.join(server.config.dataDir, 'media', 'uploads')
  const left = async (): Promise<string[]> =>
    (await readdir(uploads, { recursive: true })).filter(name => name.endsWith('.bin'))
  await until(left, names => names.length === 0, 'the uploads to be removed')
  assert.deepEqual(await readdir(path.join(server.config.dataDir, 'tmp')), [])
  const [row] = await sql(
    server,
    `select count(*)::integer as left from media_attachments where source_key is not null`,
  )
  assert.equal(row?.['left'], 0)
})

test('an attachment that is removed during its processing leaves no files', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const { config } = await sharedServer()
  const accepted = entity(await upload(alice, 'v2', await recording('webm', ...FILM), { type: 'video/webm' }), 202)
  assert.equal((await alice.delete(`/api/v1/media/${accepted.id}`)).status, 200)
  const uploads = path.join(config.dataDir, 'media', 'uploads')
  await until(
    async () => (await readdir(uploads, { recursive: true })).filter(name => name.endsWith('.bin')),
    names => names.length === 0,
    'the upload to be removed',
  )
  assert.equal((await alice.get(`/api/v1/media/${accepted.id}`)).status, 404)
})

test('a rotated video is turned upright', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const film = await recording('mp4', ...FILM, '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
  // The matrix of the track header (ISO/IEC 14496-12, 8.3.2), after its times, id, duration, layer
  // and volume: a quarter turn.
  const matrix = film.indexOf('tkhd') + 44
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0].entries()) film.writeInt32BE(value, matrix + index * 4)
  const made = entity(await upload(alice, 'v1', film, { type: 'video/mp4' }))
  assert.deepEqual([originalOf(made)['width'], originalOf(made)['height']], [48, 64])
  const still = await sharp((await fetchFile(made['preview_url'])).bytes).metadata()
  assert.deepEqual([still.width, still.height], [48, 64])
})

test('conversions beyond the limit wait for their turn', { skip }, async t => {
  const { alice } = await people(t, 'alice')
  const film = await recording('webm', ...FILM)
  const made = await Promise.all(Array.from({ length: 5 }, () => upload(alice, 'v1', film, { type: 'video/webm' })))
  for (const response of made) assert.equal(entity(response)['type'], 'gifv')
  // Jobs do not wait but are retried later, so that other jobs can run.
  await Promise.all(Array.from({ length: 4 }, () => processed(alice, film, { type: 'video/webm' })))
})
