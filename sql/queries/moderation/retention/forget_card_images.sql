-- forget_card_images: drops the preview pictures of link previews, whose files have been removed;
-- a page that was fetched meanwhile keeps its new picture.
-- $1 ids bigint[]
-- $2 keys text[]: of their files
-- rows: one
-- plan: no sequential scan
with changed as (
  update preview_cards k set image_key = null
  from unnest((select $1::bigint[]), (select $2::text[])) removed (id, key)
  where k.id = removed.id and k.image_key = removed.key
  returning k.id
), logged as (
  insert into events (kind, object_id, data) select 'preview_card.changed', changed.id, '{"status_ids": null}' from changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
