-- follow_clock: makes jobs and schedules independent of a clock that was in the future: a job that
-- was written there waits from now on for as long as it would have, and what ran there may run
-- again. Without it they would wait until that time.
-- $1 names text[]
-- rows: one; moved: how many jobs. Only those of these names move, and those that failed: others
-- wait for a time that somebody chose
-- plan: all jobs that wait
with schedules as (
  update graphile_worker._private_known_crontabs known
  set known_since = least(known.known_since, now()), last_execution = least(known.last_execution, now())
  where greatest(known.known_since, known.last_execution) > now() + interval '30 seconds'
), moved as (
  update graphile_worker._private_jobs job
  set run_at = now() + greatest(job.run_at - job.updated_at, interval '0'), updated_at = now()
  from graphile_worker._private_tasks task
  where task.id = job.task_id and (task.identifier = any ((select $1::text[])::text[]) or job.attempts > 0)
    and job.locked_at is null and job.updated_at > now() + interval '30 seconds'
  returning 1
)
select count(*)::integer as moved from moved
