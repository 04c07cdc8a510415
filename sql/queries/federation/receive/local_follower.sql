-- local_follower: a local follower of an account.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan
select a.id
from follows f
join accounts a on a.id = f.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
where f.target_account_id = $1
limit 1
