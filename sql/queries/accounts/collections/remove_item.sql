-- remove_item: removes an account from a collection, with its notification. A revoked item stays
-- revoked. Run under lock.
-- $1 collection bigint
-- $2 item bigint
-- rows: none when the item is not in the collection
-- plan: no sequential scan
with removed as (
  delete from collection_items i
  where i.id = $2 and i.collection_id = $1 and i.state in ('pending', 'accepted')
  returning i.id, i.collection_id, i.account_id
), unlogged as (
  delete from notifications n using removed, collections c
  where c.id = removed.collection_id and n.account_id = removed.account_id and n.from_account_id = c.account_id
    and n.type in ('added_to_collection', 'collection_update') and n.activity_id = c.id
  returning n.account_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', c.account_id, c.id, '{"change": "items"}'::jsonb
  from removed
  join collections c on c.id = removed.collection_id
  union all
  select distinct 'notifications.changed', unlogged.account_id, null::bigint, '{"change": "withdrawn"}'::jsonb from unlogged
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
