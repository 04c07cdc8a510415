import assert from 'node:assert/strict'
import { test } from 'tap'
import { longestAnswerMs } from '../../support/longest_answer.ts'
import { people, person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { errorOf, FILM, picture, recording, TONE, upload, withoutFfmpeg } from './media_fixtures.ts'

const LIMIT_BYTES = 103_809_024
/** For a slow machine; a data: URI once kept the server from answering for ten seconds and more. */
const LONGEST_ANSWER_MS = 8000

test('audio and video of 99 MB are refused with a reason', { skip: withoutFfmpeg }, async t => {
  const { alice } = await people(t, 'alice')
  const sound = await recording('wav', ...TONE)
  const film = await recording('mp4', ...FILM)
  const [large, video] = [sound, film].map(bytes => Buffer.concat([bytes, Buffer.alloc(LIMIT_BYTES - bytes.length)]))
  assert.ok(large && video)
  for (const [version, bytes] of [
    ['v1', large],
    ['v2', large],
    ['v1', video],
    ['v2', video],
  ] as const) {
    const refused = await upload(alice, version, bytes, { type: 'audio/wav' })
    assert.equal(refused.status, 422)
    assert.equal(
      errorOf(refused),
      'Validation failed: File file size must be less than 99 MB, File must be less than 99 MB',
    )
  }
  assert.equal((await upload(alice, 'v2', Buffer.concat([large, large]), { type: 'audio/wav' })).status, 413)
})

test('uploads are limited to thirty files in half an hour, over both versions', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const alice = await person(server, 'alice')
  const bytes = await picture(2, 2).png().toBuffer()
  // The window is aligned to the clock: when it ends between the first and the last upload, the
  // count starts again.
  const windowOf = (): number => Math.floor(Date.now() / (30 * 60 * 1000))
  const began = windowOf()
  for (let count = 0; count < 30; count += 1)
    assert.equal((await upload(alice, count % 2 ? 'v1' : 'v2', bytes)).status, 200)
  for (const version of ['v1', 'v2'] as const) {
    const more = await upload(alice, version, bytes)
    if (windowOf() === began) assert.deepEqual([more.status, errorOf(more)], [429, 'Too many requests'])
  }
})

test('the server answers while it decodes a large data: URI', async t => {
  const { alice, server } = await people(t, 'alice')
  const escaped = `data:image/png,${'%41'.repeat(7_000_000)}`
  const spaced = `data:image/png;base64,${'QUFB '.repeat(4_000_000)}`
  const send = (body: string, type: string): Promise<Response> =>
    fetch(`${server.url}/api/v2/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': type },
      body,
    })
  const plain = `data:image/png,${'A'.repeat(20_000_000)}`
  for (const [body, type] of [
    [JSON.stringify({ file: escaped }), 'application/json'],
    [JSON.stringify({ file: spaced }), 'application/json'],
    [`file=${encodeURIComponent(plain)}`, 'application/x-www-form-urlencoded'],
  ] as const) {
    const sent = send(body, type)
    const longestMs = await longestAnswerMs(server, sent)
    assert.equal((await sent).status, 422)
    assert.ok(longestMs < LONGEST_ANSWER_MS, `an answer took ${Math.round(longestMs)} ms`)
  }
})
