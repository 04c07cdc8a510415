-- give_up: records that long work of a kind has failed which began before a time and has not ended,
-- so that it begins again instead of going on.
-- $1 kind text
-- $2 before timestamptz
-- rows: none
-- plan: a sequential scan of staff_tasks, which has few rows
update staff_tasks t set finished_at = now(), failed = true
where t.kind = $1 and t.created_at < $2::timestamptz and t.finished_at is null
