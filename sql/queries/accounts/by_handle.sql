-- by_handle: the account of another server with this name, compared without regard to case.
-- $1 username text
-- $2 domain text
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select a.id
from accounts a
where lower(a.username) = lower($1::text) and lower(coalesce(a.domain, '')) = lower($2::text)
