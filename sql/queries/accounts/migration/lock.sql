-- lock: waits for other moves of an account, and lets none begin before the transaction ends.
-- $1 account bigint
-- rows: none or one
-- plan: one row by key
select a.id from accounts a where a.id = $1 for no key update
