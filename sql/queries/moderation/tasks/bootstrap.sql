-- bootstrap: lets a local account follow whom new accounts follow, in the background; none without
-- a user.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan
select enqueue('accounts.welcome', json_build_object('user', u.id::text)) as id from users u where u.account_id = $1
