import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../../support/oauth.ts'
import { sql } from '../../../support/people.ts'
import { sharedServer } from '../../../support/server.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT}`

test('the list of sessions names browsers correctly despite misleading user agents', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  for (const [userAgent, name] of [
    [`${LINUX} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`${LINUX} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`${LINUX} Ubuntu Chromium/80.0 Chrome/80.0 Safari/537.36`, 'Chromium on Linux'],
    [`${LINUX} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Safari/537.36 OPR/120.0`, 'Opera on Windows'],
    [`${LINUX} Chrome/140.0 Safari/537.36 Vivaldi/7.5`, 'Vivaldi on Linux'],
    [
      `Mozilla/5.0 (Linux; Android 14) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) EdgiOS/140.0 Mobile/15E148 Safari/604.1',
      'Edge on iOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
  ] as const) {
    await sql(server, 'update sessions set user_agent = $2 where user_id = $1', [alice.userId, userAgent])
    assert.ok((await browser.get('/auth/edit')).text.includes(`<strong>${name}</strong>`), userAgent)
  }
})
