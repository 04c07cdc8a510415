-- expire: deletes records of tasks that have run for a day or were finished an hour ago.
-- rows: none
-- plan: all of a small table, once an hour
delete from async_refreshes r
where case when r.finished_at is null then r.created_at < now() - interval '1 day' else r.finished_at < now() - interval '1 hour' end
