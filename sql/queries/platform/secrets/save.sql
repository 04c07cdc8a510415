-- save: stores missing secrets; existing ones stay. A second process that starts at the same time
-- waits here.
-- $1 names text[]
-- $2 values text[]
-- plan: rows are inserted, none are read
insert into secrets (name, value)
select made.name, made.value from unnest((select $1::text[]), (select $2::text[])) made (name, value)
on conflict do nothing
