-- remove: deletes a collection, and what its members were told of it. Run under lock.
-- $1 collection bigint
-- rows: one
-- plan: no sequential scan
with gone as (
  delete from collections c where c.id = $1 returning c.id, c.account_id
), untold as (
  delete from notifications n using gone, collection_items i
  where i.collection_id = gone.id and n.account_id = i.account_id and n.from_account_id = gone.account_id
    and n.type in ('added_to_collection', 'collection_update') and n.activity_id = gone.id
), told as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', gone.account_id, gone.id, '{"what": "deleted"}' from gone
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
