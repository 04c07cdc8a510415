-- remove_failed: deletes up to a thousand jobs without an attempt left: those that failed for the
-- last time more than 30 days ago, and the oldest of more than 10,000. Activities of other servers
-- are deleted after a day: each may have a megabyte, and their senders make them fail as they like.
-- graphile-worker does not record when a job failed; the last attempt made it due again some hours
-- later at most.
-- rows: one; removed: how many
-- plan: all stored jobs, once a day and for each thousand
with failed as materialized (
  select
    job.id, latest.time, job.task_identifier in ('federation.receive', 'federation.forward') as received,
    row_number() over (order by latest.time desc, job.id desc) as place
  from graphile_worker.jobs job
  cross join lateral (select greatest(job.updated_at, job.run_at) as time) latest
  where job.locked_at is null and job.attempts >= job.max_attempts
), old as materialized (
  select failed.id
  from failed
  where failed.time < now() - case when failed.received then interval '1 day' else interval '30 days' end or failed.place > 10000
  limit 1000
)
select count(*)::integer as removed
from graphile_worker.complete_jobs(array(select old.id from old))
