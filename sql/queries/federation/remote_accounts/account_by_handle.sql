-- account_by_handle: the account with a handle on another server.
-- $1 username text
-- $2 domain text
-- rows: none or one
-- plan: no sequential scan
select a.id
from accounts a
where lower(a.username) = lower($1::text) and lower(coalesce(a.domain, '')) = lower($2::text) and a.domain is not null
