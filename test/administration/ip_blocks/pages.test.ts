import assert from 'node:assert/strict'
import { test } from 'tap'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/ip_blocks'

test('rules about networks are added, changed and removed with the permission to manage blocks', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, `${PATH}/new`])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(PATH)).status, 403)
  const { person, browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, PATH, { ip: '192.0.2.1', severity: 'no_access' })

  const form = await browser.get(`${PATH}/new?ip=192.0.2.9`)
  assert.equal(form.forms.find(({ action }) => action === PATH)?.fields['ip'], '192.0.2.9')
  for (const [fields, message] of [
    [{ ip: 'nonsense' }, /Ip can't be blank/],
    [{ ip: '192.0.2.1', severity: 'maybe' }, /Severity is not included/],
  ] as const) {
    const response = await browser.submit(form, PATH, fields)
    assert.deepEqual([response.status, message.test(readText(response))], [422, true])
  }
  const rule = { ip: '192.0.2.0/24', severity: 'sign_up_block', comment: 'Many <bots>', expires_in: '604800' }
  assert.equal((await browser.submit(form, PATH, rule)).location, PATH)
  assert.match(readText(await browser.submit(form, PATH, rule)), /Ip has already been taken/)
  assert.match(readText(await browser.get(PATH)), /192\.0\.2\.0\/24 No sign-ups until .* Many <bots>/)
  const { json } = await person.get('/api/v1/admin/ip_blocks')
  const [block] = json as { id: string; expires_at: string }[]
  const path = `${PATH}/${block?.id ?? ''}`

  const edit = await browser.get(`${path}/edit`)
  await browser.submit(edit, path, { comment: 'Fewer bots' }, 'put')
  const kept = await sql(server, 'select comment, expires_at from ip_blocks')
  assert.deepEqual(kept, [{ comment: 'Fewer bots', expires_at: new Date(block?.expires_at ?? '') }])
  await browser.submit(edit, path, { expires_in: '0' }, 'put')
  const list = await browser.get(PATH)
  assert.match(readText(list), /until it is removed/)
  await browser.submit(list, `${PATH}/batch`, { change: 'delete', 'ids[]': [block?.id ?? '', '999999'] })
  assert.match(readText(await browser.get(PATH)), /1 entry was changed.*There are no rules/)
  assert.equal((await browser.get(`${path}/edit`)).status, 404)
  assert.equal((await loggedActions(server, person)).length, 4)
})

test('the list of rules has pages', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'owner')
  await sql(
    server,
    `insert into ip_blocks (ip, severity) select ('10.0.' || n || '.0/24')::cidr, 'sign_up_block' from generate_series(1, 90) n`,
  )
  const next = (text: string): string => /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const prev = (text: string): string => /href="([^"]*)" rel="prev"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const shown = (text: string): string[] => [...text.matchAll(/>(10\.0\.\d+\.0\/24)</g)].map(([, ip = '']) => ip)
  const first = await browser.get(PATH)
  const second = await browser.get(next(first.text))
  const third = await browser.get(next(second.text))
  const all = [first, second, third].map(page => shown(page.text))
  assert.deepEqual(
    all.map(ips => ips.length),
    [40, 40, 10],
  )
  assert.equal(new Set(all.flat()).size, 90)
  assert.deepEqual([next(third.text), prev(first.text)], ['', ''])
  const back = await browser.get(prev(third.text))
  assert.deepEqual(shown(back.text), all[1])
  assert.deepEqual(shown((await browser.get(prev(back.text))).text), all[0])
})
