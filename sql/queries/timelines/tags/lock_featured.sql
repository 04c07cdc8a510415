-- lock_featured: one at a time changes what the viewer features.
-- $1 viewer bigint
-- rows: one
-- plan: one row by key
select a.id from accounts a where a.id = $1 for no key update
