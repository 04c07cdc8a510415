-- remove_card_images: drops a batch of preview pictures that were fetched before a time.
-- $1 before timestamptz
-- $2 limit integer
-- rows: one; files: the files to remove
-- plan: preview cards in the order of their keys, until there are enough: a job
with part as materialized (
  select k.id, k.image_key from preview_cards k
  where k.image_key is not null and k.fetched_at < $1
  order by k.id
  limit $2::integer
), deleted as (
  update preview_cards k set image_key = null from part where k.id = part.id returning k.id
), logged as (
  insert into events (kind, object_id, data) select 'preview_card.changed', deleted.id, '{"status_ids": null}' from deleted
  returning event_json(events) as event
)
select array(select part.image_key from part) as files, (select jsonb_agg(logged.event) from logged) as events
