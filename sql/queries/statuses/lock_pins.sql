-- lock_pins: pins of an account are made one after the other, so that their number holds.
-- $1 account bigint
-- rows: one
-- plan: one row by key
select u.id from users u where u.account_id = $1 for update
