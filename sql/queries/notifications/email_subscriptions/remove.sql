-- remove: ends a subscription.
-- $1 subscription bigint
-- rows: one when there was one
-- plan: one row by key
delete from email_subscriptions s where s.id = $1 returning s.id
