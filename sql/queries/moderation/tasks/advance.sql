-- advance: counts what long work has done.
-- $1 task bigint
-- $2 amount integer
-- rows: none
-- plan: one row by key
update staff_tasks t set done_count = t.done_count + $2::integer where t.id = $1
