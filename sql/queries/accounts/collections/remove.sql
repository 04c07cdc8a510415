-- remove: deletes a collection and its members' notifications about it. Run under lock.
-- $1 collection bigint
-- rows: one
-- plan: no sequential scan
with removed as (
  delete from collections c where c.id = $1 returning c.id, c.account_id
), unlogged as (
  delete from notifications n using removed, collection_items i
  where i.collection_id = removed.id and n.account_id = i.account_id and n.from_account_id = removed.account_id
    and n.type in ('added_to_collection', 'collection_update') and n.activity_id = removed.id
  returning n.account_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', removed.account_id, removed.id, '{"change": "deleted"}'::jsonb from removed
  union all
  select distinct 'notifications.changed', unlogged.account_id, null::bigint, '{"change": "withdrawn"}'::jsonb from unlogged
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
