-- confirm: confirms a subscription; has no effect when it was confirmed before.
-- $1 subscription bigint
-- rows: none
-- plan: one row by key
update email_subscriptions s set confirmed_at = now() where s.id = $1 and s.confirmed_at is null
