-- named_items: the URIs that the items of a remote collection have at its curator.
-- $1 curator bigint
-- $2 uri text
-- rows: one for each item that the curator has named
-- plan: no sequential scan
select i.uri
from collections c
join collection_items i on i.collection_id = c.id and i.state in ('pending', 'accepted') and i.uri is not null
where c.uri = $2 and c.account_id = $1
