-- remove_failed: deletes up to a thousand jobs without an attempt left: those that failed for the
-- last time more than 30 days ago, and the oldest of more than 10,000.
-- rows: one; removed: how many
-- plan: all stored jobs, once a day and for each thousand
with failed as materialized (
  select job.id, job.updated_at, row_number() over (order by job.updated_at desc, job.id desc) as place
  from graphile_worker.jobs job
  where job.locked_at is null and job.attempts >= job.max_attempts
), old as materialized (
  select failed.id
  from failed
  where failed.updated_at < now() - interval '30 days' or failed.place > 10000
  limit 1000
)
select count(*)::integer as removed
from graphile_worker.complete_jobs(array(select old.id from old))
