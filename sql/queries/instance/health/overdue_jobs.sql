-- overdue_jobs: whether a job that is due has waited for more than ten minutes, as when no process
-- runs jobs any more, or those that run are stuck. Kinds that this process leaves to others, such
-- as backups, and what a server that ends for good does not do, are not its business.
-- $1 kinds text[]: those that this process runs
-- rows: one
-- plan: the stored jobs up to the first such one
select exists (
  select from graphile_worker.jobs job
  where job.locked_at is null and job.attempts < job.max_attempts and job.run_at < now() - interval '10 minutes'
    and job.task_identifier = any ((select $1::text[])::text[])
) as overdue
