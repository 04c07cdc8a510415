-- own_lists: the lists of an account, at most 50.
-- $1 account bigint
-- rows: one a list
-- plan: no sequential scan
select l.id from lists l where l.account_id = $1 order by l.id
