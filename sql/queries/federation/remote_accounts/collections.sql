-- collections: the collections of an account of another server, whose items its server counts.
-- $1 account bigint
-- rows: one while the account exists, and is neither suspended nor being deleted; a URL is empty
--   if its document names none
-- plan: one row by key
select a.uri, a.followers_url as followers, a.following_url as following, a.outbox_url as outbox
from accounts a
where a.id = $1 and a.domain is not null and a.suspended_at is null and a.deletion_requested_at is null
