-- offering: whether an account's owner offers subscriptions.
-- $1 account bigint
-- rows: none without a user, else one
-- plan: one row by key
select u.email_subscriptions from users u where u.account_id = $1
