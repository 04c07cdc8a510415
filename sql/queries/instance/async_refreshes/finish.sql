-- finish: marks a background task as finished.
-- $1 key text
-- $2 result_count integer
-- rows: none
-- plan: no sequential scan
update async_refreshes r set finished_at = now(), result_count = $2 where r.key = $1 and r.finished_at is null
