-- next_due: the time until the next scheduled job is due. Jobs that are due already are not
-- counted.
-- rows: one; due_in_ms is null when none waits
-- plan: all jobs that wait, when a timer is set
select ceil(extract(epoch from min(job.run_at) - clock_timestamp()) * 1000)::double precision as due_in_ms
from graphile_worker.jobs job
where job.run_at > clock_timestamp() and job.attempts < job.max_attempts and job.locked_at is null
