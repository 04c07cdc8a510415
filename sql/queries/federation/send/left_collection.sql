-- left_collection: an item of a local account that has left a remote collection.
-- $1 item bigint
-- rows: none or one
-- plan: no sequential scan
select i.account_id, c.uri as collection, o.inbox_url
from collection_items i
join collections c on c.id = i.collection_id and c.uri is not null
join accounts o on o.id = c.account_id and o.inbox_url <> '' and o.suspended_at is null
where i.id = $1 and i.state = 'revoked'
