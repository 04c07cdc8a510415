-- followers_among: the accounts among these that follow the viewer.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each follower
-- plan: no sequential scan
select f.account_id as id
from follows f
where f.target_account_id = $1 and f.account_id = any ((select $2::bigint[])::bigint[])
