-- acceptable: which of these accounts may be suggested to the viewer now.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one an account that may
-- plan: no sequential scan
select a.id from suggestable_accounts($1) a where a.id = any ($2::bigint[])
