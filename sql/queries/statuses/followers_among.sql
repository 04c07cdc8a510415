-- followers_among: which of these accounts follow the viewer.
-- $1 viewer bigint
-- $2 accounts bigint[]
-- rows: one for each
-- plan: no sequential scan
select f.account_id as id from follows f where f.target_account_id = $1 and f.account_id = any ((select $2::bigint[])::bigint[])
