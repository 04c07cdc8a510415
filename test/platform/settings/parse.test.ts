import assert from 'node:assert/strict'
import { test } from 'tap'
import { InvalidSetting, parseSetting } from '../../../src/platform/settings/index.ts'
import { parseChange, parseValue } from '../../../src/platform/settings/parse.ts'
import { SETTINGS } from '../../../src/platform/settings/index.ts'

const refuses = (key: string, value: unknown, message: RegExp): void => {
  assert.throws(
    () => parseChange(key, value),
    (error: unknown) => error instanceof InvalidSetting && message.test(error.message) && !error.message.includes('\n'),
  )
}

test('every default is valid for its setting', async () => {
  for (const [key, setting] of Object.entries(SETTINGS)) {
    assert.deepEqual(Object.values(parseChange(key, setting.default)), [setting.default], key)
  }
})

test('an invalid value is refused with one line', async () => {
  refuses('registrations_mode', 'closed', /^registrations_mode must be one of open, approved, none$/)
  refuses('registrations_mode', true, /must be one of/)
  refuses('local_topic_feed_access', 'disabled', /must be one of public, authenticated$/)
  refuses('trends', 'true', /^trends must be true or false$/)
  refuses('min_age', 12.5, /^min_age must be a whole number from 1 to 150, or blank$/)
  refuses('min_age', 0, /whole number/)
  refuses('site_title', 7, /^site_title must be a text$/)
  refuses('site_short_description', 'x'.repeat(201), /at most 200 characters$/)
  refuses('site_terms', 'a\0b', /plain text/)
  refuses('site_terms', '\ud800', /plain text/)
  refuses('site_contact_email', 'nobody', /e-mail address, or blank$/)
  refuses('status_page_url', 'javascript:alert(1)', /http or https URL, or blank$/)
  refuses('bootstrap_timeline_accounts', 'alice', /must be a list/)
  refuses('bootstrap_timeline_accounts', ['alice', 'two words'], /not "two words"$/)
  refuses('nonsense', 1, /^there is no setting "nonsense"$/)
  refuses('constructor', 1, /^there is no setting "constructor"$/)
  refuses('timeline_preview', 'yes', /^timeline_preview must be true or false$/)
})

test('usernames lose their @ and duplicates', async () => {
  assert.deepEqual(parseValue('auto_follow_accounts', ['@alice', 'alice', 'bob@example.com']), [
    'alice',
    'bob@example.com',
  ])
  assert.equal(parseValue('site_contact_username', '@alice'), 'alice')
})

test('strings of the command line are parsed', async () => {
  assert.equal(parseSetting('trends', 'off'), false)
  assert.equal(parseSetting('trends', ' TRUE '), true)
  assert.equal(parseSetting('min_age', '16'), 16)
  assert.equal(parseSetting('min_age', ''), null)
  assert.equal(parseSetting('landing_page', 'about'), 'about')
  assert.equal(parseSetting('site_title', ' A title '), ' A title ')
  assert.deepEqual(parseSetting('auto_follow_accounts', '@alice, bob@example.com'), ['alice', 'bob@example.com'])
  assert.deepEqual(parseSetting('auto_follow_accounts', ''), [])
  assert.equal(parseSetting('timeline_preview', 'false'), false)
  assert.throws(
    () => parseSetting('trends', 'perhaps'),
    /^InvalidSetting: trends must be true or false, not "perhaps"$/,
  )
  assert.throws(() => parseSetting('min_age', '1e3'), InvalidSetting)
  assert.throws(() => parseSetting('nonsense', '1'), InvalidSetting)
})

test('timeline_preview sets four settings', async () => {
  assert.deepEqual(parseChange('timeline_preview', false), {
    local_live_feed_access: 'authenticated',
    remote_live_feed_access: 'authenticated',
    local_topic_feed_access: 'authenticated',
    remote_topic_feed_access: 'authenticated',
  })
})
