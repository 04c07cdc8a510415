import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { longestAnswerMs } from '../../support/longest_answer.ts'
import { startServer } from '../../support/server.ts'
import { readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/custom_emojis/import'
const BLOCK = 512
const LONGEST_ANSWER_MS = 8000

/** The head of an entry of a tar archive. */
function entry(name: string, type: string, sizeBytes: number): Buffer {
  const head = Buffer.alloc(BLOCK)
  head.write(name)
  head.write(sizeBytes.toString(8).padStart(11, '0'), 124)
  head.write(type, 156)
  head.write('ustar', 257)
  return head
}

test('archives with endless names or entries are refused, and do not stop the server', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get(PATH)
  const longBytes = 100_000_000
  const long = Buffer.alloc(Math.ceil(longBytes / BLOCK) * BLOCK, 'a')
  const empty = entry('cat.gif', '0', 0)
  for (const [what, tar] of [
    ['a long name', Buffer.concat([entry('name', 'L', longBytes), long, empty])],
    ['a long header', Buffer.concat([entry('name', 'x', longBytes), long, empty])],
    ['many files', Buffer.alloc(200_000 * BLOCK, empty)],
  ] as const) {
    const archive = new File([new Uint8Array(gzipSync(tar, { level: 1 }))], 'emojis.tar.gz')
    const sent = browser.submit(form, PATH, { archive })
    const longestMs = await longestAnswerMs(server, sent)
    const { status, text } = await sent
    assert.deepEqual([what, status], [what, 422])
    assert.ok(text.length < 100_000, `${what}: a page of ${text.length} characters`)
    assert.match(readText({ text } as Awaited<typeof sent>), /not an archive/)
    assert.ok(longestMs < LONGEST_ANSWER_MS, `${what}: an answer took ${Math.round(longestMs)} ms`)
  }
})
