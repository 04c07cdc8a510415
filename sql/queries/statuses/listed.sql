-- listed: the statuses among these that appear in the viewer's (null: anybody's) lists, newest
-- first.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one a status
-- plan: no sequential scan
select s.id from shown_statuses($1) s where s.id = any ((select $2::bigint[])::bigint[]) order by s.id desc
