-- feature_request: a pending item of a local collection whose account is remote.
-- $1 item bigint
-- rows: none or one
-- plan: no sequential scan
select c.account_id as curator, c.id as collection, a.uri, a.inbox_url
from collection_items i
join collections c on c.id = i.collection_id and c.uri is null
join accounts a on a.id = i.account_id and a.inbox_url <> '' and a.suspended_at is null and a.deletion_requested_at is null
where i.id = $1 and i.state = 'pending'
