import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { people, sql, waitForEventLog } from '../../support/people.ts'

interface Emoji {
  shortcode: string
  url: string
  static_url: string
}

/** The emojis in an entity and its members, by their shortcodes. */
function emojisIn(entity: unknown): Emoji[] {
  if (typeof entity !== 'object' || entity === null) return []
  const own = 'emojis' in entity ? (entity.emojis as Emoji[]) : []
  return [...own, ...Object.entries(entity).flatMap(([name, inner]) => (name === 'emojis' ? [] : emojisIn(inner)))]
}

const codes = (entity: unknown): string[] => emojisIn(entity).map(emoji => emoji.shortcode)

test('custom emojis are listed wherever they are used, until they are removed', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const ctl = await createCommandLine(t, server.databaseUrl)
  const moving = path.join(ctl.folder, 'moving.gif')
  const still = path.join(ctl.folder, 'still.png')
  const square = sharp({ create: { width: 8, height: 8, channels: 4, background: 'red' } })
  await writeFile(moving, await square.clone().gif().toBuffer())
  await writeFile(still, await square.clone().png().toBuffer())
  const names = ['in_name', 'in_note', 'in_field', 'in_value', 'in_text', 'in_cw', 'in_poll', 'off', 'in_news']
  for (const name of names) await ctl.ok('emoji', 'add', name, moving, '--unlisted')
  await sql(
    server,
    `insert into custom_emojis (shortcode, domain, image) values ('far', 'far.example', '{"key": "a.png", "static_key": "a.png"}')`,
  )
  await sql(server, `update custom_emojis set disabled = true where shortcode = 'off'`)
  await ctl.ok('announcements', 'create', 'News :in_news: :off:')
  await alice.patch('/api/v1/profile', {
    display_name: 'A :in_name: :off: :far: :none:',
    note: 'x:in_note: :in_note:',
    fields_attributes: [{ name: ':in_field:', value: 'v :in_value:' }],
  })
  const status = await alice.postStatus('look :in_text: a:in_text:b :off: :far:', {
    spoiler_text: ':in_cw:',
    poll: { options: ['a :in_poll:', 'b'], expires_in: 600 },
  })
  await waitForEventLog(bob)

  const account = (await anonymous.get(`/api/v1/accounts/${alice.id}`)).json
  assert.deepEqual(codes(account).toSorted(), ['in_field', 'in_name', 'in_note', 'in_value'])
  const [shape] = emojisIn(account)
  assert.deepEqual(Object.keys(shape ?? {}), ['shortcode', 'url', 'static_url', 'visible_in_picker'])
  const {
    account: author,
    poll,
    ...own
  } = (await anonymous.get(`/api/v1/statuses/${status.id}`)).json as Record<string, unknown>
  assert.deepEqual([codes(own).toSorted(), codes(poll)], [['in_cw', 'in_poll', 'in_text'], ['in_poll']])
  assert.deepEqual(author, account)
  assert.deepEqual(codes((await alice.get('/api/v1/announcements')).json), ['in_news'])
  assert.deepEqual((await anonymous.get('/api/v1/custom_emojis')).json, [], 'unlisted emojis are not in the picker')

  const before = emojisIn(account).find(emoji => emoji.shortcode === 'in_name')
  assert.match(before?.url ?? '', /\.gif$/)
  assert.match(before?.static_url ?? '', /\.png$/)
  await ctl.ok('emoji', 'add', 'in_name', still, '--overwrite')
  await ctl.ok('emoji', 'delete', 'in_note')
  await ctl.ok('emoji', 'delete', 'in_text')
  await waitForEventLog(bob)
  const later = (await anonymous.get(`/api/v1/accounts/${alice.id}`)).json
  assert.deepEqual(codes(later).toSorted(), ['in_field', 'in_name', 'in_value'])
  const after = emojisIn(later).find(emoji => emoji.shortcode === 'in_name')
  assert.deepEqual(
    [after?.url === before?.url, after?.url, after?.url.endsWith('.png')],
    [false, after?.static_url, true],
  )
  const {
    account: _,
    poll: __,
    ...left
  } = (await anonymous.get(`/api/v1/statuses/${status.id}`)).json as Record<string, unknown>
  assert.deepEqual(codes(left).toSorted(), ['in_cw', 'in_poll'])
  assert.deepEqual(
    ((await anonymous.get('/api/v1/custom_emojis')).json as Emoji[]).map(emoji => emoji.shortcode),
    ['in_name'],
    'replacing without --unlisted lists the emoji',
  )
})
