-- due: local accounts whose data are due for removal, because they were suspended before this time;
-- the longest suspended first.
-- $1 before timestamptz
-- $2 limit integer
-- rows: at most $2
-- plan: no sequential scan
select a.id
from accounts a
where a.suspended_at < $1::timestamptz and a.deletion_requested_at is null and a.domain is null
order by a.suspended_at
limit $2::integer
