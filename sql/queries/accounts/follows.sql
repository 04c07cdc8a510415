-- follows: whether the viewer follows an account.
-- $1 viewer bigint
-- $2 target bigint
-- rows: none or one
-- plan: no sequential scan, at most 4 buffers
select f.target_account_id as id from follows f where f.account_id = $1 and f.target_account_id = $2
