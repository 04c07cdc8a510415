-- retry: lets jobs run at once with all their attempts, wakes a worker, and records each in the
-- audit log. Running jobs are left alone.
-- $1 moderator bigint
-- $2 ids bigint[]
-- rows: one; amount: how many there were
-- plan: rows by key
with retried as materialized (
  select job.id
  from graphile_worker.reschedule_jobs((select $2::bigint[]), now(), null::integer, 0, null::integer) job
), recorded as materialized (
  select log_action($1::bigint, 'retry', 'Job', retried.id, job.task_identifier)
  from retried
  join graphile_worker.jobs job on job.id = retried.id
), woken as materialized (
  select pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || count(*)::text || '}') from recorded
)
select (select count(*)::integer from recorded) as amount from woken
