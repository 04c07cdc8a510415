-- mentioned: the accounts that handles name.
-- $1 usernames text[]
-- $2 domains text[]
-- rows: one an account that is there; domains of this server are given as ''
-- plan: no sequential scan
select a.id, a.username, a.domain, a.url
from unnest($1::text[], $2::text[]) named (username, domain)
join accounts a
  on lower(a.username) = lower(named.username) and lower(coalesce(a.domain, '')) = lower(named.domain)
where a.suspended_at is null and a.deletion_requested_at is null and not a.pending
