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
