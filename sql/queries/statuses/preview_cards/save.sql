-- save: stores the preview of a page, replacing an earlier one. A job removes a picture that is no
-- longer used. It runs after lock_replacement, so that it sees the picture of a card that was
-- stored at the same time.
-- The earlier row is read before it is changed: a row that this statement has changed cannot be
-- locked by it.
-- The event names the statuses that show the preview, or null when they are more than 100.
-- $1 url text
-- $2 type text
-- $3 title text
-- $4 description text
-- $5 language text
-- $6 author_name text
-- $7 author_url text
-- $8 creator bigint
-- $9 provider_name text
-- $10 provider_url text
-- $11 html text
-- $12 width integer
-- $13 height integer
-- $14 image_key text
-- $15 image_description text
-- $16 blurhash text
-- $17 embed_url text
-- $18 published_at timestamptz
-- $19 article boolean
-- $20 page_url text
-- $21 keeps_image boolean: the picture could not be fetched, so an earlier one stays
-- rows: one
-- plan: no sequential scan
with old as materialized (
  select p.image_key from preview_cards p where p.url = $1 for update
), saved as (
  insert into preview_cards (
    url, type, title, description, language, author_name, author_url, creator_account_id, provider_name, provider_url, html, width, height,
    image_key, image_description, blurhash, embed_url, published_at, article, page_url
  )
  select $1, $2, $3, $4, $5, $6, $7, $8::bigint, $9, $10, $11, $12::integer, $13::integer, $14, $15, $16, $17, $18::timestamptz, $19::boolean, $20::text
  from (select count(*) from old) looked
  on conflict (url) do update set
    type = excluded.type, title = excluded.title, description = excluded.description, language = excluded.language,
    author_name = excluded.author_name, author_url = excluded.author_url, creator_account_id = excluded.creator_account_id,
    provider_name = excluded.provider_name, provider_url = excluded.provider_url, html = excluded.html,
    width = case when $21::boolean and excluded.type = 'link' then preview_cards.width else excluded.width end,
    height = case when $21 and excluded.type = 'link' then preview_cards.height else excluded.height end,
    image_key = case when $21 then preview_cards.image_key else excluded.image_key end,
    image_description = excluded.image_description,
    blurhash = case when $21 then preview_cards.blurhash else excluded.blurhash end, embed_url = excluded.embed_url,
    published_at = excluded.published_at, article = excluded.article, page_url = excluded.page_url, fetched_at = now()
  returning preview_cards.id
), showing as materialized (
  select array_agg(part.status_id::text) as ids, count(*) as amount
  from (
    select l.status_id from preview_cards_statuses l join saved on saved.id = l.preview_card_id limit 101
  ) part
), logged as (
  insert into events (kind, object_id, data)
  select
    'preview_card.changed', saved.id,
    jsonb_build_object('status_ids', case when showing.amount <= 100 then to_jsonb(coalesce(showing.ids, '{}')) end)
  from saved cross join showing
  where exists (select from old)
  returning event_json(events) as event
), unused as materialized (
  select enqueue('media.remove_files', json_build_object('keys', json_build_array(old.image_key)))
  from old
  where not $21::boolean and old.image_key is distinct from $14
    and old.image_key is not null
)
select saved.id, (select count(*) from unused)::integer as unused, (select jsonb_agg(logged.event) from logged) as events from saved
