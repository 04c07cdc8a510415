-- lock_curator: one at a time makes a collection, so that there are not more of them than the role allows.
-- $1 viewer bigint
-- rows: one
-- plan: no sequential scan
select a.id from accounts a where a.id = $1 for no key update
