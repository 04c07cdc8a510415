-- page: stored jobs of a state, without their payloads, which may contain secrets.
-- The columns of the view are never null, which PostgreSQL does not know.
-- $1 state text
-- $2 name text
-- $3 before bigint
-- $4 limit integer
-- rows: at most $4, newest first; null is no condition
-- plan: all stored jobs
select
  coalesce(job.id, 0) as id, coalesce(job.task_identifier, '') as name,
  job.attempts::integer as attempts, job.max_attempts::integer as max_attempts,
  coalesce(job.run_at, now()) as run_at, job.locked_at, coalesce(job.created_at, now()) as created_at,
  left(job.last_error, 2000) as last_error
from graphile_worker.jobs job
where case $1
    when 'waiting' then job.locked_at is null and job.attempts = 0
    when 'running' then job.locked_at is not null
    when 'retrying' then job.locked_at is null and job.attempts > 0 and job.attempts < job.max_attempts
    when 'failed' then job.locked_at is null and job.attempts >= job.max_attempts
    else false
  end
  and ($2::text is null or job.task_identifier = $2)
  and ($3::bigint is null or job.id < $3)
order by job.id desc
limit $4::integer
