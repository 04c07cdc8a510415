import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/rules'

interface Rule {
  id: string
  text: string
  hint: string
  translations: Record<string, { text: string; hint: string }>
}

const rulesOf = async (server: TestServer): Promise<Rule[]> =>
  (await new Client(server, 'unknown').get('/api/v1/instance/rules')).json as Rule[]

test('rules need the permission to manage rules', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/1`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { 'rule[text]': 'Stolen' })
  assert.equal((await browser.get(`${PATH}/999999`)).status, 404)
  assert.deepEqual(await rulesOf(server), [])
})

test('a rule is added, changed, translated, moved and deleted', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'admin')
  const empty = await browser.get(PATH)
  const blank = await browser.submit(empty, PATH, { 'rule[text]': ' ', 'rule[hint]': 'why' })
  assert.deepEqual(
    [blank.status, readText(blank).includes("can't be blank"), blank.text.includes('why')],
    [422, true, true],
  )
  const long = await browser.submit(empty, PATH, { 'rule[text]': 'x'.repeat(301) })
  assert.match(readText(long), /maximum is 300 characters/)

  const added = await browser.submit(empty, PATH, { 'rule[text]': 'Be <kind>', 'rule[hint]': 'Really' })
  assert.deepEqual([added.status, added.location], [303, PATH])
  await browser.submit(empty, PATH, { 'rule[text]': 'No spam' })
  const [kind, spam] = await rulesOf(server)
  assert.deepEqual([kind?.text, kind?.hint, spam?.text], ['Be <kind>', 'Really', 'No spam'])

  const list = await browser.get(PATH)
  assert.match(readText(list), /The rule has been added.*Be <kind> Really/)
  await browser.submit(list, `${PATH}/${spam?.id}/move`)
  assert.deepEqual(
    (await rulesOf(server)).map(({ text }) => text),
    ['No spam', 'Be <kind>'],
  )
  const same = await browser.post(`${PATH}/${spam?.id}/move`, {
    direction: 'up',
    authenticity_token: list.forms.at(-1)?.fields['authenticity_token'] ?? '',
  })
  assert.equal(same.status, 303, 'the first rule stays where it is')
  assert.deepEqual(
    (await rulesOf(server)).map(({ text }) => text),
    ['No spam', 'Be <kind>'],
  )

  const path = `${PATH}/${kind?.id}`
  const page = await browser.get(path)
  await browser.submit(page, path, { 'rule[text]': 'Be kind' }, 'put')
  const german = { 'translation[language]': 'de', 'translation[text]': 'Sei nett' }
  await browser.submit(page, `${path}/translations`, german, 'put')
  const translated = await browser.get(path)
  assert.deepEqual((await rulesOf(server))[1]?.translations, { de: { text: 'Sei nett', hint: '' } })
  const nonsense = { 'translation[language]': 'klingon', 'translation[text]': 'tlh' }
  assert.equal((await browser.submit(page, `${path}/translations`, nonsense, 'put')).status, 422)
  await browser.submit(translated, `${path}/translations`, { 'translation[text]': '' }, 'put')
  assert.deepEqual((await rulesOf(server))[1]?.translations, {})

  await browser.submit(translated, path, {}, 'delete')
  assert.deepEqual(
    (await rulesOf(server)).map(({ text }) => text),
    ['No spam'],
  )
  assert.equal((await browser.submit(translated, path, {}, 'delete')).status, 404)
  assert.deepEqual(await loggedActions(server, person), [
    'create Rule Be <kind>',
    'create Rule No spam',
    'update Rule No spam',
    'update Rule Be kind',
    'update Rule Be kind',
    'update Rule Be kind',
    'destroy Rule Be kind',
  ])
  const [events] = await sql(
    server,
    `select count(*)::integer as count from events
     where kind = 'instance.changed' and actor_id = $1 and data ->> 'change' = 'rules'`,
    [person.id],
  )
  assert.equal(events?.['count'], 7)
})
