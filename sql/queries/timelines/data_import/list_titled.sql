-- list_titled: the oldest list of an account with a title.
-- $1 account bigint
-- $2 title text
-- rows: none or one
-- plan: no sequential scan
select l.id from lists l where l.account_id = $1 and l.title = $2 order by l.id limit 1
