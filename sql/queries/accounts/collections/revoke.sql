-- revoke: the viewer removes itself from a collection; its server is notified if it is remote. The
-- item is locked, so that a change of it at the same moment leaves nothing to revoke.
-- $1 viewer bigint
-- $2 collection bigint
-- $3 item bigint
-- rows: none when there is no such item; own: whether the item is the viewer's, and so is revoked
-- plan: no sequential scan
with item as materialized (
  select i.id, i.account_id = $1 as own, c.id as collection_id, c.account_id as curator_id
  from collection_items i
  join collections c on c.id = i.collection_id
  where i.id = $3 and i.collection_id = $2 and i.state in ('pending', 'accepted')
  for no key update of i
), revoked as (
  update collection_items i set state = 'revoked' from item where i.id = item.id and item.own
), sent as materialized (
  select enqueue('federation.send_left_collection', json_build_object('item', item.id::text)) as job
  from item
  join accounts o on o.id = item.curator_id and o.domain is not null
  where item.own
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', item.curator_id, item.collection_id, '{"change": "items"}' from item where item.own
  returning event_json(events) as event
)
select item.own, (select count(*) from sent)::integer as sent, (select jsonb_agg(logged.event) from logged) as events from item
