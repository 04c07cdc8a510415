-- lock_account: what simultaneous requests add for an account waits for its turn here until the
-- transaction ends, so that they count each other's rows and the limits hold.
-- $1 account bigint
-- rows: one
-- plan: no sequential scan
select a.id from accounts a where a.id = $1 for no key update
