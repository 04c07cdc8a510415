-- acceptable: the accounts among these that may be suggested to the viewer now.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each such account
-- plan: no sequential scan
select a.id from suggestable_accounts($1) a where a.id = any ((select $2::bigint[])::bigint[])
