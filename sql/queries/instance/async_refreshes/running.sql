-- running: the id of a running background task.
-- $1 key text
-- rows: none when it does not run, else one
-- plan: no sequential scan
select r.id::text as id from async_refreshes r
where r.key = $1 and r.finished_at is null and r.created_at > now() - interval '1 day'
