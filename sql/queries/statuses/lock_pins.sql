-- lock_pins: serialises the pins of an account, so that the maximum holds.
-- $1 account bigint
-- rows: one
-- plan: one row by key
select u.id from users u where u.account_id = $1 for update
