import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { people, sql } from '../../support/people.ts'

interface Shown {
  readonly card: { readonly type: string; readonly html: string; readonly width: number } | null
}

test('frames that were stored at any length are removed, and shorter ones stay', async t => {
  const { server, alice } = await people(t, 'alice')
  const [long, short] = ['x'.repeat(5000), 'x'.repeat(4096)]
  const ids: string[] = []
  for (const html of [long, short]) {
    const { id } = await alice.postStatus('a link')
    await sql(
      server,
      `with card as (
         insert into preview_cards (url, type, html, width, height)
         values ('https://films.example/' || $1::text, 'video', $2, 480, 270) returning id, url
       )
       insert into preview_cards_statuses (status_id, preview_card_id, url) select $1::bigint, card.id, card.url from card`,
      [id, html],
    )
    await sql(server, `insert into events (kind, status_id) values ('status.counted', $1)`, [id])
    ids.push(id)
  }
  const shown = async () => {
    const cards: unknown[] = []
    for (const id of ids) {
      const { card } = (await alice.get(`/api/v1/statuses/${id}`)).json as Shown
      cards.push(card && [card.type, card.html.length, card.width])
    }
    return cards
  }
  await becomes(
    shown,
    [
      ['video', 5000, 480],
      ['video', 4096, 480],
    ],
    'the cards as they were',
  )
  await sql(server, readFileSync(new URL('../../../sql/migrations/0095_long_embeds.sql', import.meta.url), 'utf8'))
  await becomes(
    shown,
    [
      ['link', 0, 0],
      ['video', 4096, 480],
    ],
    'the long frame is removed',
  )
})
