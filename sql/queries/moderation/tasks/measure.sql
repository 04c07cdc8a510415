-- measure: stores how much long work there is, once.
-- $1 task bigint
-- $2 total integer
-- rows: none
-- plan: one row by key
update staff_tasks t set total_count = $2 where t.id = $1 and t.total_count is null
