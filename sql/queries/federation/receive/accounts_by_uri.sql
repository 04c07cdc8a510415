-- accounts_by_uri: the accounts with these URIs, and the local ones with these ids.
-- $1 uris text[]
-- $2 local_ids bigint[]
-- rows: one for each that exists and is not hidden; uri: empty for a local one
-- plan: no sequential scan
select a.id, a.uri, a.domain is null as is_local
from accounts a
where a.id in (
  select r.id from accounts r where r.uri = any ((select $1::text[])::text[]) and r.uri <> ''
  union all
  select l.id from accounts l where l.id = any ((select $2::bigint[])::bigint[]) and l.domain is null
) and a.suspended_at is null and a.deletion_requested_at is null and not a.pending
