-- start: records the start of a background task, under a new id. One that has run for a day is
-- considered lost.
-- $1 key text
-- $2 counted boolean
-- rows: none when it runs already, else one
-- plan: no sequential scan
insert into async_refreshes as r (key, result_count) values ($1, case when $2::boolean then 0 end)
on conflict (key) do update set id = excluded.id, created_at = excluded.created_at, finished_at = null, result_count = excluded.result_count
where r.finished_at is not null or r.created_at < now() - interval '1 day'
returning r.id::text as id, r.result_count
