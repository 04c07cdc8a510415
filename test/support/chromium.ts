import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { PASSWORD } from './oauth.ts'
import type { ServerAddress } from './server.ts'

const PROGRAMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** The system's Chromium; undefined where there is none, and tests that need it say so. */
export const CHROMIUM = PROGRAMS.find(program => existsSync(program))

/** It runs in a container, as root, and contacts nobody but the test's server. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** Widths of a phone and of a desktop, in CSS pixels. */
export const PHONE = { width: 375, height: 812 } as const
export const DESKTOP = { width: 1440, height: 900 } as const

/** Starts Chromium, which is closed at the end of the test. */
export async function startChromium(t: Test): Promise<Browser> {
  assert.ok(CHROMIUM)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  t.after(() => browser.close())
  return browser
}

/** A window with separate cookies, and what went wrong in it. */
export interface Window {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of scripts, of the content security policy and of files that could not be loaded. */
  readonly errors: string[]
}

export async function openWindow(browser: Browser, server: ServerAddress): Promise<Window> {
  const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, locale: 'en' })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', error => errors.push(error.message))
  return { context, page, errors }
}

/** Signs in by the form, with the keyboard only. */
export async function signInByKeyboard({ page }: Window, email: string): Promise<void> {
  await page.goto('/auth/sign_in')
  // The page gives the first field the focus.
  await page.waitForSelector('#user_email:focus')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await Promise.all([page.waitForURL(url => url.pathname !== '/auth/sign_in'), page.keyboard.press('Enter')])
}

/**
 * The violations of accessibility rules on the page: rule, impact and elements.
 * @param rules the ids of the rules; default: all
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated through the debugger, to which the page's policy does not apply.
  await page.evaluate(axe.source)
  const options = rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes
        .map(node => node.html)
        .join(' | ')
        .slice(0, 300)}`,
  )
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** By how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
