-- overdue_jobs: whether a job that is due has waited for more than ten minutes, as when no process
-- runs jobs any more, or those that run are stuck.
-- rows: one
-- plan: the stored jobs up to the first such one
select exists (
  select from graphile_worker.jobs job
  where job.locked_at is null and job.attempts < job.max_attempts and job.run_at < now() - interval '10 minutes'
) as overdue
