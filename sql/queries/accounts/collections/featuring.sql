-- featuring: the collections that contain the viewer, newest first.
-- $1 viewer bigint
-- $2 limit integer
-- $3 offset integer
-- rows: one a collection
-- plan: no sequential scan
select c.id
from collection_items i
join visible_collections($1) c on c.id = i.collection_id
where i.account_id = $1 and i.state = 'accepted'
order by i.collection_id desc
limit $2::integer offset $3::integer
