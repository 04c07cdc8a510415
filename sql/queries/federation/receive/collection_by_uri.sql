-- collection_by_uri: a remote collection, and the item of an account in it.
-- $1 curator bigint
-- $2 uri text
-- $3 account bigint
-- rows: none or one
-- plan: no sequential scan
select
  c.id,
  (
    select i.id from collection_items i where i.collection_id = c.id and i.account_id = $3 and i.state in ('pending', 'accepted')
  ) as item
from collections c
where c.uri = $2 and c.account_id = $1
