import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { entity, errorOf, fetchFile, movingGif, until, upload } from './media_fixtures.ts'

test('a server without ffmpeg warns, refuses audio and video, and stores animations as images', async t => {
  const server = await startServer(t, {
    env: { FFMPEG: '/nowhere/ffmpeg', FFPROBE: '/nowhere/ffprobe', LOG_LEVEL: 'warn' },
  })
  const warned = await until(
    async () => {
      await fetch(new URL('/health', server.url))
      return server.log.find(line => String(line['msg']).includes('ffmpeg is missing'))
    },
    line => line !== undefined,
    'the warning',
  )
  assert.deepEqual(warned?.['missing'], ['/nowhere/ffmpeg', '/nowhere/ffprobe'])
  const alice = await person(server, 'alice')
  const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(100)])
  const mp4 = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')
  for (const version of ['v1', 'v2'] as const) {
    for (const bytes of [wav, mp4]) {
      const refused = await upload(alice, version, bytes, { type: 'video/mp4' })
      assert.equal(refused.status, 422)
      assert.equal(errorOf(refused), 'Validation failed: File is audio or video, which this server cannot process')
    }
    const gif = entity(await upload(alice, version, await movingGif(30, 20), { type: 'image/gif' }))
    assert.equal(gif['type'], 'image')
    assert.equal((await sharp((await fetchFile(gif['url'])).bytes).metadata()).pages, 2)
  }
  const left = await sql(server, 'select count(*)::integer as n from media_attachments')
  assert.deepEqual(left, [{ n: 2 }], 'refused files are not stored')
})
