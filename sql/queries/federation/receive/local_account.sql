-- local_account: whether a local account exists.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan
select a.id from accounts a where a.id = $1 and a.domain is null and a.deletion_requested_at is null
