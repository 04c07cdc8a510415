import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import {
  entity,
  errorOf,
  fetchFile,
  FILM,
  movingGif,
  recording,
  until,
  upload,
  withoutFfmpeg,
} from './media_fixtures.ts'

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

test(
  'a server that did not find ffmpeg looks again, and converts what was uploaded before',
  { skip: withoutFfmpeg },
  async t => {
    const { url: databaseUrl } = await createTestDatabase(t)
    const folder = await mkdtemp(path.join(tmpdir(), 'millrace-ffmpeg-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const file = (name: string): string => path.join(folder, name)
    const write = async (name: string, condition: string): Promise<string> => {
      await writeFile(file(name), `#!/bin/sh\n${condition}\nexec ffmpeg "$@"\n`)
      await chmod(file(name), 0o755)
      return file(name)
    }
    const start = (FFMPEG: string) => startServer(t, { databaseUrl, env: { FFMPEG, DATA_DIR: file('data') } })
    const waits = `case "$*" in *file:*) while [ -e '${file('gate')}' ]; do sleep 0.05; done ;; esac`
    await writeFile(file('gate'), '')
    const before = await start(await write('waiting', waits))
    const film = await recording('webm', ...FILM)
    const { token } = await person(before, 'alice')
    const alice = new Client(before, token)
    const { id } = entity(await upload(alice, 'v2', film, { type: 'video/webm' }), 202)
    await until(
      () => sql(before, `select from media_attachments where processing = 'running'`),
      rows => rows.length > 0,
      'a conversion',
    )
    await before.stop()
    await rm(file('gate'))

    await writeFile(file('missing'), '')
    const after = await start(await write('broken', `[ -e '${file('missing')}' ] && exit 1`))
    const returned = new Client(after, token)
    const retry = (): Promise<unknown> =>
      sql(after, `update graphile_worker._private_jobs set run_at = now() where locked_at is null`)
    const tried = async (times: number): Promise<void> => {
      await until(
        async () => {
          await retry()
          return sql(after, `select attempts from graphile_worker.jobs where task_identifier = 'media.process'`)
        },
        ([job]) => Number(job?.['attempts']) >= times,
        'another attempt',
      )
    }
    const [{ attempts } = {}] = await sql(
      after,
      `select attempts from graphile_worker.jobs where task_identifier = 'media.process'`,
    )
    await tried(Number(attempts) + 1)
    assert.equal((await upload(returned, 'v2', film, { type: 'video/webm' })).status, 422)
    assert.equal((await returned.get(`/api/v1/media/${id}`)).status, 206)
    await rm(file('missing'))
    assert.equal((await upload(returned, 'v2', film, { type: 'video/webm' })).status, 202)
    await until(
      async () => {
        await retry()
        return returned.get(`/api/v1/media/${id}`)
      },
      ({ status }) => status === 200,
      'the conversion to end',
    )
  },
)
