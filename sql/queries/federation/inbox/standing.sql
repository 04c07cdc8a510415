-- standing: whether a known account of another server is suspended, or was not looked at for a day.
-- $1 account bigint
-- rows: none when it is being deleted, or is local
-- plan: no sequential scan
select
  a.suspended_at is not null as suspended,
  coalesce(a.fetched_at < now() - interval '1 day', true) as stale
from accounts a
where a.id = $1 and a.domain is not null and a.deletion_requested_at is null
