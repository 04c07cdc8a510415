import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { entity, FILM, processed, recording, until, upload, withoutFfmpeg } from './media_fixtures.ts'

const LARGE_BYTES = 6000

/** An ffmpeg that converts large files only once the file `gate` is gone. */
const program = (gate: string): string => `#!/bin/sh
for argument; do
  case $argument in file:*) size=$(wc -c < "\${argument#file:}") ;; esac
done
if [ "\${size:-0}" -gt ${LARGE_BYTES} ]; then while [ -e '${gate}' ]; do sleep 0.05; done; fi
exec ffmpeg "$@"
`

test(
  'files of one account are converted one after the other, so that others get their turn',
  {
    skip: withoutFfmpeg,
  },
  async t => {
    const folder = await mkdtemp(path.join(tmpdir(), 'millrace-turns-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const [gate, ffmpeg] = [path.join(folder, 'gate'), path.join(folder, 'ffmpeg')]
    await writeFile(gate, '')
    await writeFile(ffmpeg, program(gate))
    await chmod(ffmpeg, 0o755)
    const server = await startServer(t, { env: { FFMPEG: ffmpeg } })
    const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
    const large = await recording('webm', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25:duration=1')
    const small = await recording('webm', ...FILM)
    assert.ok(large.length > LARGE_BYTES && small.length < LARGE_BYTES, `${large.length} ${small.length}`)
    const uploaded: string[] = []
    for (let count = 0; count < 2; count += 1)
      uploaded.push(entity(await upload(alice, 'v2', large, { type: 'video/webm' }), 202).id)
    await until(
      () => sql(server, `select from media_attachments where processing = 'running'`),
      rows => rows.length > 0,
      'a conversion',
    )
    assert.equal((await processed(bob, small, { type: 'video/webm' }))['type'], 'gifv')
    assert.equal(entity(await upload(bob, 'v1', small, { type: 'video/webm' }))['type'], 'gifv')
    const running = await sql(server, `select from media_attachments where processing = 'running'`)
    assert.equal(running.length, 1)
    await rm(gate)
    for (const id of uploaded)
      await until(
        () => alice.get(`/api/v1/media/${id}`),
        ({ status }) => status === 200,
        'the conversion to end',
      )
  },
)
