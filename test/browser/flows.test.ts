import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Browser as Chromium } from 'playwright-core'
import { test } from 'tap'
import { codeAt, stepAt } from '../../src/auth/two_factor/totp.ts'
import { seal, unseal } from '../../src/auth/sessions/index.ts'
import { entity, picture } from '../media/attachments/media_fixtures.ts'
import { CHROMIUM, openWindow, signInByKeyboard, startChromium, type Window } from '../support/chromium.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../support/oauth.ts'
import { person, sql } from '../support/people.ts'
import { OPEN_REGISTRATIONS, startServer, type TestServer } from '../support/server.ts'

/** Where Chromium is missing, the tests say that they were left out. */
const WITHOUT = CHROMIUM === undefined ? { skip: 'there is no Chromium' } : {}
const MOST_TABS = 150

/** What has the focus, and whether one sees that. */
const FOCUSED = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
})()`

/** Presses the tab key until an element has the focus, which must be visible there. */
async function tabTo({ page }: Window, selector: string): Promise<void> {
  for (let count = 0; count < MOST_TABS; count += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) {
      assert.ok(await page.evaluate<boolean>(FOCUSED), `the focus on ${selector} is visible`)
      return
    }
  }
  assert.fail(`${selector} is not reached by the tab key on ${page.url()}`)
}

/** Types into a field, replacing its content. */
async function fill(window: Window, selector: string, text: string): Promise<void> {
  await tabTo(window, selector)
  await window.page.keyboard.press('ControlOrMeta+a')
  await window.page.keyboard.type(text)
}

/** Presses a button or opens a link, and waits for the next page. */
async function press(window: Window, selector: string): Promise<void> {
  await tabTo(window, selector)
  await Promise.all([window.page.waitForEvent('load'), window.page.keyboard.press('Enter')])
}

const textOf = ({ page }: Window): Promise<string> => page.innerText('main')

/** The form would be refused when it is sent faster than a person can. */
async function backdateForm({ context }: Window, server: TestServer): Promise<void> {
  const [row] = await sql(server, `select value from secrets where name = 'cookie_secret'`)
  const secret = String(row?.['value'])
  const cookie = (await context.cookies()).find(({ name }) => name === '_mastodon_session')
  assert.ok(cookie)
  const memory = JSON.parse(unseal(secret, 'memory', cookie.value) ?? '') as object
  const value = seal(secret, 'memory', JSON.stringify({ ...memory, formShownAt: Date.now() - 10_000 }))
  await context.addCookies([{ ...cookie, value }])
}

/** Consents, and the page that follows sends its form to the application without being asked. */
async function authorizeByForm(browser: Chromium, server: TestServer): Promise<void> {
  const app = await registerApplication(server, { scopes: 'read' })
  const carol = await personWithPassword(server, 'carol')
  const window = await openWindow(browser, server)
  const { page, errors } = window
  await page.route('https://app.example/**', route => route.fulfill({ body: route.request().postData() ?? '' }))
  await signInByKeyboard(window, carol.email)
  const parameters = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    response_mode: 'form_post',
  }
  await page.goto(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`)
  await tabTo(window, 'main .button.primary')
  await Promise.all([page.waitForURL(app.redirect_uri), page.keyboard.press('Enter')])
  assert.match(await page.innerText('body'), /^code=[^&]+$/)
  assert.deepEqual(errors, [])
}

test('the main flows of members by keyboard only', WITHOUT, async t => {
  const server = await startServer(t, OPEN_REGISTRATIONS)
  const browser = await startChromium(t)

  await t.test('the first key skips to the content', async () => {
    const window = await openWindow(browser, server)
    await window.page.goto('/about')
    await tabTo(window, '.skip')
    const box = await window.page.locator('.skip').boundingBox()
    assert.ok(box && box.x >= 0 && box.y >= 0, 'it is on the screen')
    await window.page.keyboard.press('Enter')
    await window.page.keyboard.press('Tab')
    assert.ok(await window.page.evaluate<boolean>(`document.querySelector('main').contains(document.activeElement)`))
  })

  await t.test('signing up; what was refused is summed up with links to the fields', async () => {
    const window = await openWindow(browser, server)
    const { page, errors } = window
    await page.goto('/auth/sign_up')
    await backdateForm(window, server)
    const name = `new_${randomBytes(4).toString('hex')}`
    const enter = async (username: string): Promise<void> => {
      await fill(window, '#user_account_attributes_username', username)
      await fill(window, '#user_email', `${name}@example.com`)
      await fill(window, '#user_password', PASSWORD)
      await fill(window, '#user_password_confirmation', PASSWORD)
      await tabTo(window, '#user_agreement')
      await page.keyboard.press('Space')
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    }
    await enter('admin')
    await page.waitForSelector('.alert:focus')
    await tabTo(window, '.alert a[href="#user_account_attributes_username"]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#user_account_attributes_username:focus')
    await page.keyboard.press('Shift+Tab')
    await enter(name)
    assert.equal(new URL(page.url()).pathname, '/auth/setup')
    assert.deepEqual(
      errors.filter(text => !text.includes('status of 422')),
      [],
    )
  })

  await t.test('signing in with a code, editing the profile', async () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const alice = await personWithPassword(server, 'alice', {
      user: { otp_secret: secret, otp_enabled_at: new Date() },
    })
    const window = await openWindow(browser, server)
    const { page, errors } = window
    await page.goto('/auth/sign_in')
    await page.waitForSelector('#user_email:focus')
    await page.keyboard.type(alice.email)
    await fill(window, '#user_password', PASSWORD)
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    await page.waitForSelector('#user_otp_attempt:focus')
    await page.keyboard.type(codeAt(secret, stepAt(Date.now())))
    await Promise.all([page.waitForURL(url => url.pathname !== '/auth/sign_in'), page.keyboard.press('Enter')])
    await page.goto('/settings/profile')
    await fill(window, '#account_display_name', 'Alice <of> the keys')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    assert.equal(await page.inputValue('#account_display_name'), 'Alice <of> the keys')

    // A picture is shown before it is sent; the policy of the page permits that.
    const buffer = await picture(64, 64).png().toBuffer()
    await page.setInputFiles('#account_avatar', { name: 'a.png', mimeType: 'image/png', buffer })
    await page.waitForSelector('#account_avatar + .picture-preview:not([hidden])')
    assert.deepEqual(errors, [])
  })

  await t.test('authorizing an application that gets its code as a form, which sends itself', () =>
    authorizeByForm(browser, server),
  )
})

/** An owner, a report about a status, and an appeal. */
async function staffCases(
  server: TestServer,
): Promise<{ owner: { username: string; email: string }; post: string; report: string }> {
  const owner = await personWithPassword(server, 'owner', { roleId: 3 })
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  const post = await alice.postStatus('Something bad')
  const reported = { account_id: alice.id, status_ids: [post.id], comment: 'Look' }
  const report = entity(await bob.post('/api/v1/reports', reported))
  const [strike] = await sql(
    server,
    `insert into account_warnings (target_account_id, action) values ($1, 'none') returning id`,
    [alice.id],
  )
  await sql(server, `insert into appeals (account_id, account_warning_id, text) values ($1, $2, 'Why?')`, [
    alice.id,
    strike?.['id'],
  ])
  return { owner, post: post.id, report: report.id }
}

/** The form of an announcement, in a browser elsewhere in the world. */
async function openElsewhere({ context }: Window, server: TestServer): Promise<void> {
  const other = await context.browser()?.newContext({ baseURL: server.url, timezoneId: 'Asia/Tokyo' })
  assert.ok(other)
  await other.addCookies(await context.cookies())
  const page = await other.newPage()
  await sql(server, `insert into announcements (text, content, scheduled_at) values ('x', 'x', '2099-01-01T00:00Z')`)
  const [row] = await sql(server, 'select id::text as id from announcements')
  await page.goto(`/admin/announcements/${String(row?.['id'])}`)
  await page.waitForFunction(`document.querySelector('select[data-zone]').value === 'Asia/Tokyo'`)
  assert.equal(await page.inputValue('input[name="announcement[scheduled_at]"]'), '2099-01-01T09:00')
}

test('the main flows of the staff by keyboard only', WITHOUT, async t => {
  const server = await startServer(t)
  const { owner, post, report } = await staffCases(server)
  const window = await openWindow(await startChromium(t), server)
  const { page, errors } = window
  await signInByKeyboard(window, owner.email)

  await t.test('the navigation opens and closes on a phone, and marks the page', async () => {
    await page.goto('/admin/dashboard')
    await tabTo(window, '.staff-menu')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#staff-nav:popover-open')
    await page.keyboard.press('Escape')
    await page.waitForSelector('#staff-nav:not(:popover-open)', { state: 'attached' })
    assert.ok(await page.evaluate<boolean>(`document.activeElement.matches('.staff-menu')`), 'the focus returns')
    await page.keyboard.press('Enter')
    await press(window, '.staff-nav a[href="/admin/reports"]')
    assert.equal(await page.getAttribute('.staff-nav [aria-current="page"]', 'href'), '/admin/reports')
  })

  await t.test('a report is opened, its status looked at, and resolved', async () => {
    await page.goto('/admin/reports')
    await press(window, `a[href="/admin/reports/${report}"]`)
    await press(window, `a[href="/admin/statuses/${post}"]`)
    assert.match(await textOf(window), /Something bad/)
    await press(window, `a[href="/admin/reports/${report}"]`)
    await press(window, `form[action="/admin/reports/${report}/resolve"] button`)
    assert.match(await textOf(window), /Resolved by/)
  })

  await t.test('a setting is changed', async () => {
    await page.goto('/admin/settings/branding')
    await fill(window, '#settings_site_title', 'Keyboard Mill')
    await fill(window, '#settings_site_contact_username', owner.username)
    await fill(window, '#settings_site_contact_email', owner.email)
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    assert.equal(await page.innerText('.brand'), 'Keyboard Mill')
  })

  await t.test('a domain is blocked, chosen in the list, and unblocked', async () => {
    await page.goto('/admin/domain_blocks')
    await press(window, 'a[href="/admin/domain_blocks/new"]')
    await fill(window, '#domain', 'bad.example')
    await tabTo(window, '#severity')
    await page.keyboard.press('ArrowDown')
    await press(window, '.staff > form .button.primary')
    assert.match(await textOf(window), /Suspend bad\.example\?/)
    await press(window, '.staff .section form .button.danger')
    assert.match(await textOf(window), /bad\.example/)
    await tabTo(window, '.batch-item input')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+Tab')
    assert.ok(await page.evaluate<boolean>(`document.activeElement.matches('.batch-tools button:enabled')`))
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    assert.doesNotMatch(await textOf(window), /bad\.example/)
  })

  await t.test('an appeal is rejected', async () => {
    await page.goto('/admin/disputes/appeals')
    await press(window, 'form[action$="/reject"] button')
    await page.goto('/admin/disputes/appeals?state=rejected')
    assert.match(await textOf(window), /Why\?/)
  })

  await t.test('the form of an announcement begins with the browser’s time zone', () => openElsewhere(window, server))
  assert.deepEqual(errors, [])
})
