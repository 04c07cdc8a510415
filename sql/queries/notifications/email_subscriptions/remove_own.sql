-- remove_own: ends a subscription to the posts of an account, for its owner.
-- $1 account bigint
-- $2 subscription bigint
-- rows: one when there was one
-- plan: one row by key
delete from email_subscriptions s where s.id = $2 and s.account_id = $1 returning s.id
