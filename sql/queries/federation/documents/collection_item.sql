-- collection_item: an item of a collection of accounts.
-- $1 viewer bigint
-- $2 item bigint
-- rows: none or one
-- plan: no sequential scan
select
  i.id, i.collection_id, c.uri as collection_uri, i.account_id, a.uri, a.domain is null as local, a.actor_type as type, i.approval_uri,
  i.created_at,
  c.account_id as curator
from shown_collection_items($1) i
join visible_collections($1) c on c.id = i.collection_id
join accounts a on a.id = i.account_id
where i.id = $2 and i.state = 'accepted'
