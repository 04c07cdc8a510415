import assert from 'node:assert/strict'
import { test } from 'tap'
import { CHROMIUM, openWindow, startChromium } from '../support/chromium.ts'
import { person } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { ALL_PAGES, furnish } from './furnished.ts'
import { concrete, inspector } from './inspect.ts'

/** Where Chromium is missing, the tests say that they were left out. */
const WITHOUT = CHROMIUM === undefined ? { skip: 'there is no Chromium' } : {}

test('every page of a visitor opens without errors, fits and is accessible, light and dark', WITHOUT, async t => {
  const server = await startServer(t, ALL_PAGES)
  const { owner, paths } = await furnish(server)
  t.after(() => owner.close())
  const inspect = inspector(await openWindow(await startChromium(t), server))
  const faults: string[] = []
  for (const path of concrete(paths).open.filter(one => !/^\/(?:admin|settings)\b/.test(one)))
    faults.push(...(await inspect(path)))
  faults.push(...(await inspect('/nothing/here', 404)))
  faults.push(...(await inspect('/setup', 403)))
  assert.deepEqual(faults, [])
})

test('the local timeline shows a new post without being loaded again', WITHOUT, async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const { page, errors } = await openWindow(await startChromium(t), server)
  await Promise.all([page.waitForResponse(response => response.url().includes('/live')), page.goto('/public/local')])
  const { id } = await alice.postStatus('as it happens')
  await page.waitForSelector(`[data-status="${id}"]`)
  await alice.delete(`/api/v1/statuses/${id}`)
  await page.waitForSelector(`[data-status="${id}"]`, { state: 'detached' })
  assert.deepEqual(errors, [])
})

test('each paragraph has the direction of its words, whatever name or address it begins with', WITHOUT, async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const text = `@${alice.username} سلام\n\nhttps://example.com/b שלום\n\n#سلام yes\n\n@${alice.username} hello שלום`
  const { id } = await alice.postStatus(text)
  const { page } = await openWindow(await startChromium(t), server)
  for (const path of [`/@${alice.username}/${id}`, `/@${alice.username}/${id}/embed`]) {
    await page.goto(path)
    // Whether the link is on the right of the text beside it, and whether the line is at the right.
    const seen = await page.evaluate(`[...document.querySelectorAll('.status [lang] > p')].map(paragraph => {
      const link = paragraph.querySelector('a').getBoundingClientRect()
      const range = document.createRange()
      range.selectNode(paragraph.lastChild)
      const words = range.getBoundingClientRect()
      const rest = paragraph.getBoundingClientRect().right - Math.max(words.right, link.right)
      return [link.left > words.left, rest < 2]
    })`)
    assert.deepEqual(
      seen,
      [
        [true, true],
        [true, true],
        [false, false],
        [false, false],
      ],
      path,
    )
  }
})
