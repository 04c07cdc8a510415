-- items: what is in these collections, as far as the viewer is shown it, in the order in which it was put in.
-- $1 viewer bigint
-- $2 collections bigint[]
-- rows: one an item
-- plan: no sequential scan
select i.id, i.collection_id, i.account_id, i.state, i.created_at
from shown_collection_items($1) i
where i.collection_id = any ($2::bigint[])
order by i.collection_id, i.id
