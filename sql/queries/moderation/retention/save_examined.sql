-- save_examined: records how far the nightly removal of statuses of other servers has come.
-- $1 last bigint
-- rows: none
-- plan: by key
insert into retention_progress as r (examined_status_id)
values ($1)
on conflict (only_one) do update set examined_status_id = excluded.examined_status_id
