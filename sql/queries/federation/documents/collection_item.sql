-- collection_item: an account in a collection of a local account.
-- $1 viewer bigint
-- $2 item bigint
-- rows: none or one
-- plan: no sequential scan
select i.id, i.collection_id, i.account_id, a.uri, a.domain is null as local, a.actor_type as type, i.created_at, c.account_id as curator
from shown_collection_items($1) i
join visible_collections($1) c on c.id = i.collection_id
join accounts o on o.id = c.account_id and o.domain is null
join accounts a on a.id = i.account_id
where i.id = $2 and i.state = 'accepted'
