-- followed_of: the accounts among these that the viewer follows.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each followed account
-- plan: no sequential scan
select f.target_account_id as id
from follows f
where f.account_id = $1 and f.target_account_id = any ((select $2::bigint[])::bigint[])
