-- find: whether an account exists.
-- $1 account bigint
-- rows: none or one
-- plan: one row by key
select a.id from accounts a where a.id = $1
