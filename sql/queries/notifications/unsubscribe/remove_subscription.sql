-- remove_subscription: ends a subscription, for its address.
-- $1 subscription bigint
-- rows: one when there was one
-- plan: one row by key
delete from email_subscriptions s where s.id = $1 returning s.id
