import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../../support/oauth.ts'
import { sql } from '../../../support/people.ts'
import { sharedServer } from '../../../support/server.ts'

const PAGE = '/settings/preferences'

test('language and time zone are chosen on a page, and unknown ones are cleared', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const choose = async (fields: Record<string, string>): Promise<void> => {
    const response = await browser.submit(await browser.get(PAGE), PAGE, fields, 'put')
    assert.deepEqual([response.status, response.location], [302, PAGE])
  }
  const chosen = async (): Promise<unknown> => {
    const [user] = await sql(server, 'select locale, time_zone from users where account_id = $1', [alice.id])
    return user
  }
  await choose({ 'user[locale]': 'de', 'user[time_zone]': 'Europe/Berlin' })
  assert.deepEqual(await chosen(), { locale: 'de', time_zone: 'Europe/Berlin' })
  const { text } = await browser.get(PAGE)
  assert.match(text, /<option value="Europe\/Berlin" selected>/)
  assert.match(text, /Zeitzone/)
  await choose({ 'user[locale]': 'en' })
  assert.deepEqual(await chosen(), { locale: 'en', time_zone: 'Europe/Berlin' }, 'an omitted field is unchanged')
  for (const zone of ['Mars/Olympus', '']) {
    await choose({ 'user[locale]': 'en', 'user[time_zone]': 'Europe/Paris' })
    await choose({ 'user[locale]': 'en', 'user[time_zone]': zone })
    assert.deepEqual(await chosen(), { locale: 'en', time_zone: null }, zone)
  }
})

test('a language without texts is kept when the time zone is saved, and an unknown one changes nothing', async () => {
  const server = await sharedServer()
  for (const locale of ['es', 'de-AT']) {
    const alice = await personWithPassword(server, 'alice', { user: { locale } })
    const browser = new Browser(server)
    await browser.signIn(alice.email, PASSWORD)
    const save = async (fields: Record<string, string>): Promise<unknown> => {
      await browser.submit(await browser.get(PAGE), PAGE, fields, 'put')
      return (await sql(server, 'select locale, time_zone from users where account_id = $1', [alice.id]))[0]
    }
    assert.deepEqual(await save({ 'user[time_zone]': 'Europe/Madrid' }), { locale, time_zone: 'Europe/Madrid' })
    assert.deepEqual(await save({ 'user[locale]': 'tlh' }), { locale, time_zone: 'Europe/Madrid' })
    assert.deepEqual(await save({ 'user[locale]': 'fr' }), { locale: 'fr', time_zone: 'Europe/Madrid' })
  }
})
