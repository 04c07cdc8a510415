-- revoke: the viewer takes itself out of a collection.
-- $1 viewer bigint
-- $2 collection bigint
-- $3 item bigint
-- rows: none when there is no such item; own: whether it is about the viewer, and so is revoked
-- plan: no sequential scan
with item as materialized (
  select i.id, i.account_id = $1 as own
  from collection_items i
  where i.id = $3 and i.collection_id = $2 and i.state in ('pending', 'accepted')
), revoked as (
  update collection_items i set state = 'revoked' from item where i.id = item.id and item.own
)
select item.own from item
