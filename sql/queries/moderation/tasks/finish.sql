-- finish: records that long work is done, or that its last attempt failed; not that it is done when
-- somebody has started it again meanwhile with more than this run includes.
-- $1 task bigint
-- $2 failed boolean
-- $3 widened boolean
-- $4 narrowed boolean
-- rows: one, unless there is more to do or the task was finished before
-- plan: one row by key
update staff_tasks t set finished_at = now(), failed = $2
where t.id = $1 and t.finished_at is null and ($2 or (t.widened = $3 and t.narrowed = $4))
returning t.id
