-- reported_collections: collections that another server reports; reportable: whether its curator is
-- local, and not hidden.
-- $1 uris text[]
-- $2 local_ids bigint[]
-- rows: one for each that exists
-- plan: no sequential scan
select
  c.id, c.account_id,
  exists (
    select from accounts a
    where a.id = c.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
      and not a.pending
  ) as reportable
from collections c
where c.id in (
  select r.id from collections r where r.uri = any ((select $1::text[])::text[])
  union all
  select l.id from collections l where l.id = any ((select $2::bigint[])::bigint[]) and l.uri is null
)
