-- finish: records that long work is done, or that its last attempt failed.
-- $1 task bigint
-- $2 failed boolean
-- rows: none
-- plan: one row by key
update staff_tasks t set finished_at = now(), failed = $2 where t.id = $1 and t.finished_at is null
