-- local_account: the local account with this id or username, if it exists.
-- $1 account bigint
-- $2 username text
-- rows: none or one
-- plan: no sequential scan
select a.id
from accounts a
where a.id in (
  select $1::bigint
  union all
  select n.id from accounts n where lower(n.username) = $2::text and lower(coalesce(n.domain, '')) = ''
) and a.domain is null and a.deletion_requested_at is null
