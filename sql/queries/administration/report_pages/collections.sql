-- collections: the reported collections of a report that still exist, newest first.
-- $1 report bigint
-- rows: one a collection; items: how many accounts it shows
-- plan: no sequential scan
select
  c.id, c.name, coalesce(c.description, '') as description,
  (select count(*) from collection_items i where i.collection_id = c.id and i.state = 'accepted')::integer as items
from reports r
join collections c on c.id = any (r.collection_ids) and c.account_id = r.target_account_id
where r.id = $1
order by c.id desc
