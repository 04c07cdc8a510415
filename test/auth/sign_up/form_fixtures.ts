import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { seal, unseal } from '../../../src/auth/sessions/index.ts'
import type { Browser, Page } from '../../support/browser.ts'
import { PASSWORD } from '../../support/oauth.ts'
import { sql } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { waitForMail } from '../../accounts/waiting.ts'

export const newName = (): string => `newcomer_${randomBytes(4).toString('hex')}`

export const fieldsOf = (name: string, change: Record<string, string> = {}): Record<string, string> => ({
  'user[account_attributes][username]': name,
  'user[account_attributes][display_name]': 'New Comer',
  'user[email]': `${name}@example.com`,
  'user[password]': PASSWORD,
  'user[password_confirmation]': PASSWORD,
  'user[agreement]': '1',
  ...change,
})

/** Backdates the time at which the form was shown. */
export async function backdateForm(browser: Browser): Promise<void> {
  const [row] = await sql(browser.server, `select value from secrets where name = 'cookie_secret'`)
  const secret = String(row?.['value'])
  const memory = JSON.parse(unseal(secret, 'memory', browser.cookies.get('_mastodon_session') ?? '') ?? '')
  const earlier = JSON.stringify({ ...memory, formShownAt: Date.now() - 10_000 })
  browser.cookies.set('_mastodon_session', seal(secret, 'memory', earlier))
}

export async function signUp(browser: Browser, name: string, change: Record<string, string> = {}): Promise<Page> {
  const page = await browser.get('/auth/sign_up')
  assert.equal(page.status, 200)
  await backdateForm(browser)
  return browser.submit(page, '/auth', fieldsOf(name, change))
}

const linkIn = (email: string): string => /https?:\/\/[^\s"<>]+/.exec(email)?.[0].replaceAll('&amp;', '&') ?? ''

export async function confirmationOf(server: TestServer, address: string): Promise<string> {
  const link = new URL(linkIn(await waitForMail(server, address)))
  return `${link.pathname}${link.search}`
}
