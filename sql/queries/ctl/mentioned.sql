-- mentioned: accounts that a text may mention, by name.
-- $1 usernames text[]
-- $2 domains text[]
-- rows: those that exist
-- plan: no sequential scan
select a.username, a.domain, a.url
from unnest($1::text[], $2::text[]) named (username, domain)
join accounts a on lower(a.username) = lower(named.username) and lower(coalesce(a.domain, '')) = lower(named.domain)
where a.suspended_at is null and not a.pending and a.deletion_requested_at is null
