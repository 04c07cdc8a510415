-- lock: serialises the scheduling of a person until the transaction ends, so that the limits hold.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select u.id from users u where u.account_id = $1 for no key update
