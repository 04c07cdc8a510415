-- due: accounts whose data are due for removal, because they were suspended here before this time;
-- the longest suspended first. A suspension by the account's own server is that server's.
-- $1 before timestamptz
-- $2 limit integer
-- rows: at most $2
-- plan: no sequential scan
select a.id
from accounts a
where a.suspended_at < $1::timestamptz and a.deletion_requested_at is null and a.suspension_origin = 'local'
order by a.suspended_at
limit $2::integer
