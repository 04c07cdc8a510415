-- items: the items of these collections that the viewer may see, in the order in which they were
-- added.
-- $1 viewer bigint
-- $2 collections bigint[]
-- rows: one an item
-- plan: no sequential scan
select i.id, i.collection_id, i.account_id, i.state, i.created_at
from shown_collection_items($1) i
where i.collection_id = any ((select $2::bigint[])::bigint[])
order by i.collection_id, i.id
