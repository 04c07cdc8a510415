-- remove: deletes jobs that do not run, and records each in the audit log.
-- $1 moderator bigint
-- $2 ids bigint[]
-- rows: one; amount: how many there were
-- plan: rows by key
with named as materialized (
  select job.id, job.task_identifier as name
  from graphile_worker.jobs job
  where job.id = any ((select $2::bigint[])::bigint[])
), removed as materialized (
  select job.id from graphile_worker.complete_jobs(array(select named.id from named)) job
), recorded as materialized (
  select log_action($1::bigint, 'destroy', 'Job', named.id, named.name)
  from removed
  join named on named.id = removed.id
)
select count(*)::integer as amount from recorded
