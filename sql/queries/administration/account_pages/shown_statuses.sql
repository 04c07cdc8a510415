-- shown_statuses: the statuses among these that the pages of the staff show to the viewer.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: ids in no order
-- plan: no sequential scan
select s.id from staff_statuses($1) s where s.id = any ((select $2::bigint[])::bigint[])
