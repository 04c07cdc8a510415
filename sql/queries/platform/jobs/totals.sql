-- totals: how many background jobs are stored, by state.
-- rows: one; waiting: due, not yet tried; failed: without an attempt left; oldest_seconds: how long
-- the oldest due one waits
-- plan: all stored jobs, for scrapes of the metrics, at most twice a minute a process
select
  count(*) filter (where job.locked_at is null and job.attempts = 0 and job.run_at <= now())::integer as waiting,
  count(*) filter (where job.locked_at is not null)::integer as running,
  count(*) filter (where job.locked_at is null and job.attempts > 0 and job.attempts < job.max_attempts)::integer as retrying,
  count(*) filter (where job.locked_at is null and job.attempts >= job.max_attempts)::integer as failed,
  coalesce(
    extract(epoch from now() - min(job.run_at) filter (
      where job.locked_at is null and job.attempts < job.max_attempts and job.run_at <= now()
    )),
    0
  )::double precision as oldest_seconds
from graphile_worker.jobs job
