-- running: a running background task, with the results so far.
-- $1 key text
-- rows: none when it does not run, else one
-- plan: no sequential scan
select r.id::text as id, r.result_count from async_refreshes r
where r.key = $1 and r.finished_at is null and r.created_at > now() - interval '1 day'
