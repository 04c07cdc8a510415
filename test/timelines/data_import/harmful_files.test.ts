import assert from 'node:assert/strict'
import { test } from 'tap'
import { signedIn } from '../../support/signed_in.ts'
import { fileOf, load, PAGE } from './import_fixtures.ts'

const MEGABYTE = 1024 * 1024
/** For a slow machine; such files once kept the server from answering for half a minute. */
const LONGEST_ANSWER_MS = 8000

test('the server answers while it reads a large file with very many rows or columns', async t => {
  const { browser, server, person } = await signedIn(t, 'alice')
  const form = await browser.get(PAGE)
  const send = async (text: string, reason: RegExp): Promise<void> => {
    let isRead = false
    const sent = browser
      .submit(form, PAGE, { 'import[kind]': 'blocks', 'import[file]': fileOf(text) })
      .finally(() => (isRead = true))
    let longestMs = 0
    for (;;) {
      const start = performance.now()
      await (await fetch(`${server.url}/health`)).text()
      longestMs = Math.max(longestMs, performance.now() - start)
      if (isRead) break
    }
    const { status, text: page } = await sent
    assert.equal(status, 200)
    assert.match(page, reason)
    assert.ok(longestMs < LONGEST_ANSWER_MS, `an answer took ${Math.round(longestMs)} ms`)
  }
  await send('a\n'.repeat(10 * MEGABYTE), /has more than 20000 rows/)
  await send(',\n'.repeat(10 * MEGABYTE), /contains no rows/)
  assert.deepEqual(await load({ browser, server, person }, 'blocks', `a${','.repeat(20 * MEGABYTE - 1)}`), [1, 1])
})
