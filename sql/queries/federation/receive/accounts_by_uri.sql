-- accounts_by_uri: the accounts with these URIs, and the local ones with these ids or usernames.
-- $1 uris text[]
-- $2 local_ids bigint[]
-- $3 usernames text[]
-- rows: one for each that exists and is not hidden; uri: empty for a local one; username: in lower
--   case, as are those that are given
-- plan: no sequential scan
select a.id, a.uri, lower(a.username) as username, a.domain is null as is_local
from accounts a
where a.id in (
  select r.id from accounts r where r.uri = any ((select $1::text[])::text[]) and r.uri <> ''
  union all
  select l.id from accounts l where l.id = any ((select $2::bigint[])::bigint[]) and l.domain is null
  union all
  select n.id
  from unnest((select $3::text[])) wanted (name)
  join accounts n on lower(n.username) = wanted.name and lower(coalesce(n.domain, '')) = ''
) and a.suspended_at is null and a.deletion_requested_at is null and not a.pending
