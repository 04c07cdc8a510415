-- lock_featured: serialises changes of the viewer's featured hashtags.
-- $1 viewer bigint
-- rows: one
-- plan: one row by key
select a.id from accounts a where a.id = $1 for no key update
