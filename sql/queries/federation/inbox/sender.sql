-- sender: a stored account of another server. stale: its document was not fetched for a day.
-- $1 uri text
-- rows: none when it is unknown, or being deleted
-- plan: no sequential scan
select
  a.id,
  a.suspended_at is not null as suspended,
  coalesce(a.fetched_at < now() - interval '1 day', true) as stale
from accounts a
where a.uri = $1 and a.uri <> '' and a.domain is not null and a.deletion_requested_at is null
