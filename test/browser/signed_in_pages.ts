import assert from 'node:assert/strict'
import type { Test } from 'tap'
import { CHROMIUM, openWindow, signInByKeyboard, startChromium, type Window } from '../support/chromium.ts'
import { PASSWORD } from '../support/oauth.ts'
import { startServer } from '../support/server.ts'
import { ALL_PAGES, furnish } from './furnished.ts'
import { concrete, DECLARED, EXCUSED, inspector } from './inspect.ts'

/** Where Chromium is missing, the tests say that they were left out. */
export const WITHOUT = CHROMIUM === undefined ? { skip: 'there is no Chromium' } : {}

/** Confirms the password and begins to set up codes, so that the pages behind that are shown. */
async function reachGuardedPages({ page }: Window): Promise<void> {
  await page.goto('/settings/two_factor_authentication_methods')
  await page.keyboard.type(PASSWORD)
  await Promise.all([page.waitForResponse(response => response.status() === 200), page.keyboard.press('Enter')])
  await page.waitForSelector('form[action="/settings/otp_authentication"]')
  await Promise.all([
    page.waitForURL('**/confirmation/new'),
    page.press('form[action="/settings/otp_authentication"] button', 'Enter'),
  ])
}

/**
 * Opens the pages whose paths match, as the owner; fails if one has errors, does not fit or is not
 * accessible.
 */
export async function inspectSignedIn(t: Test, pattern: RegExp): Promise<void> {
  const server = await startServer(t, ALL_PAGES)
  const { owner, paths } = await furnish(server)
  t.after(() => owner.close())
  const { open, missing } = concrete(paths)
  assert.deepEqual(missing, [], 'pages that are neither opened nor excused')
  const stale = Object.keys(EXCUSED).filter(path => !DECLARED.includes(path))
  assert.deepEqual(stale, [], 'excuses for pages that are not there')
  const window = await openWindow(await startChromium(t), server)
  await signInByKeyboard(window, owner.email)
  await reachGuardedPages(window)
  const inspect = inspector(window)
  const faults: string[] = []
  for (const path of open.filter(one => pattern.test(one))) faults.push(...(await inspect(path)))
  assert.deepEqual(faults, [])
}
