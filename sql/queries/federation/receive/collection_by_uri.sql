-- collection_by_uri: a remote collection, and the item in it that has this URI or is of this
-- account.
-- $1 curator bigint
-- $2 uri text
-- $3 item_uri text
-- $4 account bigint
-- rows: none or one
-- plan: no sequential scan
select
  c.id,
  (
    select i.id
    from collection_items i
    where i.collection_id = c.id and i.state in ('pending', 'accepted') and (i.uri = $3 or i.account_id = $4)
    order by i.uri = $3 desc nulls last
    limit 1
  ) as item
from collections c
where c.uri = $2 and c.account_id = $1
