-- lock_due: accounts whose data are due for removal, because they were suspended here 30 days ago;
-- the longest suspended first. They are locked, so that nobody lifts such a suspension meanwhile. A
-- suspension by the account's own server is that server's. A rule about a domain, which suspends at
-- the time of its own, has deleted the data already; lifting it restores the accounts.
-- $1 limit integer
-- rows: at most $1
-- plan: no sequential scan
select a.id
from accounts a
where a.suspended_at <= now() - interval '720 hours' and a.deletion_requested_at is null and a.suspension_origin = 'local'
  and not (
    a.domain is not null
    and exists (select from domain_blocks b where b.severity = 'suspend' and b.created_at = a.suspended_at)
  )
order by a.suspended_at
limit $1::integer
for no key update of a
