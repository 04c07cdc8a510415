-- forget_card_images: drops the preview pictures of link previews, whose files have been removed.
-- $1 ids bigint[]
-- rows: one
-- plan: no sequential scan
with changed as (
  update preview_cards k set image_key = null where k.id = any ((select $1::bigint[])::bigint[]) returning k.id
), logged as (
  insert into events (kind, object_id, data) select 'preview_card.changed', changed.id, '{"status_ids": null}' from changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
