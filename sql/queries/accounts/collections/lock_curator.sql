-- lock_curator: serialises the creation of collections by one account, so that the role's maximum
-- holds.
-- $1 viewer bigint
-- rows: one
-- plan: no sequential scan
select a.id from accounts a where a.id = $1 for no key update
