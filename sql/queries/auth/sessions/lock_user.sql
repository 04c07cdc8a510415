-- lock_user: locks a user for the rest of the transaction: what gives access to the account waits
-- for what ends it, and the other way round. Each goes on with statements that see what the other
-- has committed.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select u.id from users u where u.id = $1 for no key update
