-- reported_collections: collections that another server reports.
-- $1 uris text[]
-- $2 local_ids bigint[]
-- rows: one for each that exists
-- plan: no sequential scan
select c.id, c.account_id
from collections c
where c.id in (
  select r.id from collections r where r.uri = any ((select $1::text[])::text[])
  union all
  select l.id from collections l where l.id = any ((select $2::bigint[])::bigint[]) and l.uri is null
)
