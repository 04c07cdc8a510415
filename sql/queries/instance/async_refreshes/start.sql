-- start: records the start of a background task, under a new id. One that has run for a day is
-- considered lost.
-- $1 key text
-- rows: none when it runs already, else one
-- plan: no sequential scan
insert into async_refreshes as r (key) values ($1)
on conflict (key) do update set id = excluded.id, created_at = excluded.created_at, finished_at = null, result_count = null
where r.finished_at is not null or r.created_at < now() - interval '1 day'
returning r.id::text as id
