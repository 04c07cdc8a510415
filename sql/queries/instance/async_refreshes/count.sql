-- count: one more result of a running background task.
-- $1 key text
-- rows: none
-- plan: no sequential scan
update async_refreshes r set result_count = coalesce(r.result_count, 0) + 1 where r.key = $1 and r.finished_at is null
