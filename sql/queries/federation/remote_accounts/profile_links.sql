-- profile_links: the page of an account of another server, and its profile fields.
-- $1 account bigint
-- rows: one while the account exists, and is neither suspended nor being deleted
-- plan: one row by key
select coalesce(nullif(a.url, ''), a.uri) as page, a.fields
from accounts a
where a.id = $1 and a.domain is not null and a.suspended_at is null and a.deletion_requested_at is null
