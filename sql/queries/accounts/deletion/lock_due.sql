-- lock_due: accounts whose data are due for removal, because they were suspended here 30 days ago;
-- the longest suspended first. They are locked, so that nobody lifts such a suspension meanwhile. A
-- suspension by the account's own server is that server's.
-- $1 limit integer
-- rows: at most $1
-- plan: no sequential scan
select a.id
from accounts a
where a.suspended_at <= now() - interval '720 hours' and a.deletion_requested_at is null and a.suspension_origin = 'local'
order by a.suspended_at
limit $1::integer
for no key update
