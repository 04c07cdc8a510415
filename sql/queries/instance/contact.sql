-- contact: the local account with this name
-- $1 username text
-- rows: none or one
select a.id
from accounts a
where lower(a.username) = lower($1) and a.domain is null and a.suspended_at is null and not a.pending
