-- by_handles: the accounts with these names that may be mentioned; an empty domain means this
-- server.
-- $1 usernames text[]
-- $2 domains text[]
-- rows: one for each account that exists
-- plan: no sequential scan
select a.id, a.username, a.domain, a.url
from unnest((select $1::text[]), (select $2::text[])) wanted (username, domain)
join accounts a on lower(a.username) = lower(wanted.username) and lower(coalesce(a.domain, '')) = lower(wanted.domain)
where not a.pending and a.suspended_at is null and a.deletion_requested_at is null
