import { sql } from '../support/people.ts'
import type { ServerAddress } from '../support/server.ts'

/** The URL of the trending link. */
export const TRENDING_URL = 'https://example.com/night'

/**
 * Makes a status, the hashtag `quiet` and the status's link trend, as if many accounts had used
 * them.
 */
export const makeTrends = (server: ServerAddress, status: string): Promise<unknown> =>
  sql(
    server,
    `with tag as (
       update tags set trendable = true where name = 'quiet' returning id
     ), tag_score as (
       insert into tag_trends (tag_id, peak, peaked_at, score, language) select id, 9, now(), 9, 'en' from tag
       on conflict do nothing
     ), status as (
       update statuses set trendable = true where id = $1 returning id
     ), status_score as (
       insert into status_trends (status_id, score) select id, 9 from status
     ), card as (
       insert into preview_cards (url, type, title, description, language, provider_name, image_key, trendable)
       values ($2, 'link', 'Night', 'How tapirs see', 'en', 'Example', 'cards/night.png', true)
       on conflict (url) do update set title = excluded.title returning id, url
     ), shown as (
       insert into preview_cards_statuses (status_id, preview_card_id, url) select status.id, card.id, card.url from status, card
     )
     insert into link_trends (preview_card_id, peak, peaked_at, score) select id, 9, now(), 9 from card on conflict do nothing`,
    [status, TRENDING_URL],
  )
