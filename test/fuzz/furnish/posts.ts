import { sql } from '../../support/person.ts'
import { PIXEL } from '../pixel.ts'
import { must, type Ground } from './ground.ts'

const HOUR_MS = 3_600_000

async function upload({ alice, ids }: Ground): Promise<string> {
  const file = new FormData()
  file.append('file', new Blob([PIXEL], { type: 'image/png' }), 'a.png')
  const { id, url } = await must<{ id: string; url: string }>(alice, 'POST', '/api/v2/media', file)
  const [name = '', second = '', first = '', kind = ''] = new URL(url).pathname.split('/').toReversed()
  ids.put('media', id)
  ids.put('media_kind', kind)
  ids.put('media_first', first)
  ids.put('media_second', second)
  ids.put('media_name', name)
  return id
}

interface CollectionAnswer {
  readonly collection: { readonly id: string; readonly items: readonly { readonly id: string }[] }
}

/** Bob in a collection of alice's, and her post in a quote of his. */
async function recommend({ server, ids, alice, bob }: Ground, status: string): Promise<void> {
  await must(bob, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true })
  const choir = { name: 'choir', sensitive: false, discoverable: true, account_ids: [bob.id] }
  const { collection } = await must<CollectionAnswer>(alice, 'POST', '/api/v1/collections', choir)
  ids.put('collection', collection.id)
  ids.put('curated', bob.id)
  for (const { id } of collection.items) ids.put('collection_item', id)
  const { id: quoting } = await bob.postStatus('look', { quoted_status_id: status })
  const [quote] = await sql(server, 'select id::text from quotes where status_id = $1', [quoting])
  ids.put('quoted', status)
  ids.put('quoting', quoting)
  ids.put('quote', String(quote?.['id']))
}

/** A link trends that a status of alice's has, and she has a report of a year. */
async function trend({ server, ids, alice }: Ground, status: string): Promise<void> {
  const url = `https://news.example/${status}`
  const data = {
    archetype: 'oracle',
    top_statuses: { by_reblogs: status, by_favourites: null, by_replies: null },
    time_series: [{ month: 12, statuses: 2, followers: 1 }],
    top_hashtags: [{ name: 'tea', count: 2 }],
  }
  const [made] = await sql(
    server,
    `with card as (
       insert into preview_cards (url, type, title, provider_name, trendable)
       values ($1::text, 'link', 'Night', 'Example', true) returning id, url
     ), shown as (
       insert into preview_cards_statuses (status_id, preview_card_id, url) select $2::bigint, id, url from card
     ), score as (
       insert into link_trends (preview_card_id, peak, peaked_at, score) select id, 9, now(), 9 from card
     ), publisher as (
       insert into link_publishers (domain, requested_review_at) values ($2::bigint || '.example', now()) returning id
     ), report as (
       insert into annual_reports (account_id, year, data, schema_version, share_key)
       values ($3, 2025, $4, 2, 'k3y')
     ), refresh as (
       insert into async_refreshes (key) values ('fuzz:' || $2::bigint) returning id
     )
     select card.id::text as link, publisher.id::text as publisher, refresh.id::text as refresh
     from card, publisher, refresh`,
    [url, status, alice.id, data],
  )
  ids.put('link', String(made?.['link']))
  ids.put('link_url', url)
  ids.put('link_publisher', String(made?.['publisher']))
  ids.put('refresh', String(made?.['refresh']))
  ids.put('card_status', status)
}

/** Adds posts of alice's with all that may hang on them. */
export async function addPosts(ground: Ground): Promise<void> {
  const { server, ids, alice, bob, outside } = ground
  const media = await upload(ground)
  const { id: status, url } = await alice.postStatus('with a picture', { media_ids: [media] })
  ids.put('status', status)
  ids.put('status_url', String(url))
  ids.put('local_note', `${server.url}/ap/users/${alice.id}/statuses/${status}`)
  ids.put('context', `${alice.id}-${status}`)
  for (const hours of [1, 2]) {
    const later = new Date(Date.now() + hours * HOUR_MS)
    ids.put('scheduled', (await alice.postStatus('later', { scheduled_at: later })).id)
  }
  const film = await upload(ground)
  await alice.postStatus('with a film', { media_ids: [film] })
  // Nobody plays it, so that it need not be converted.
  await sql(server, `update media_attachments set type = 'video' where id = $1`, [film])
  ids.put('player', film)
  ids.put('foreign_status', (await bob.postStatus('good morning', { language: 'en' })).id)
  const title = { title: 'own', context: ['home'] }
  const { id: filter } = await must(alice, 'POST', '/api/v2/filters', title)
  ids.put('filter', filter)
  const path = `/api/v2/filters/${filter}/statuses`
  ids.put('filter_status', (await must(alice, 'POST', path, { status_id: status })).id)
  const { id: other } = await alice.postStatus('a good day')
  await recommend(ground, other)
  await trend(ground, other)
  ids.put('push_endpoint', `${outside.picturesUrl}/push/${alice.id}`)
}
