import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'

test('copies of files are found among many records without any', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  await ctl.sql(`insert into accounts (username, domain, uri) values ('ann', 'far.example', 'https://far.example/ann')`)
  await ctl.sql(
    `insert into media_attachments (account_id, type, file_key, remote_url, created_at)
     select a.id, 'image', case when n > 19980 then 'media/aa/bb/' || n end, 'https://far.example/' || n, now() - interval '20 days'
     from accounts a, generate_series(1, 20000) n`,
  )
  await ctl.sql(
    `insert into preview_cards (url, type, title, image_key, fetched_at)
     select 'https://page.example/' || n, 'link', 'x', case when n > 19980 then 'cards/aa/bb/' || n end, now() - interval '20 days'
     from generate_series(1, 20000) n`,
  )
  await ctl.sql('vacuum analyze accounts, media_attachments, preview_cards')
  const before = new Date().toISOString()
  const reads: [name: string, parameters: object][] = [
    ['moderation/retention/cached_attachments', { after: '0', before, keep_interacted: false }],
    ['moderation/retention/card_images', { after: '0', before, links_only: false }],
  ]
  for (const [name, parameters] of reads) {
    const plan = await ctl.ok('explain', name, JSON.stringify(parameters))
    const found = [...plan.matchAll(/^(?:Limit|Sort) .*actual[^(]* rows=([\d.]+)/gm)].map(match => Number(match[1]))
    assert.deepEqual(found, [20, 20], plan)
    assert.doesNotMatch(plan, /Rows Removed by Filter/, name)
  }
})
