-- by_usernames: the accounts of this server with these names, which are in lower case.
-- $1 names text[]
-- rows: one for each account that exists
-- plan: no sequential scan, at most 8 buffers
select a.id, lower(a.username) as name
from unnest((select $1::text[])) wanted (name)
join accounts a on lower(a.username) = wanted.name and lower(coalesce(a.domain, '')) = ''
