-- The only place that adds a job, which runs after this transaction has committed; returns its id.
-- Tries and priority are those of the job's declaration in src, which a test compares; the defaults
-- are those of a declaration without options.
-- job_key: replaces a waiting job with the same key. queue_name: jobs of one queue run one after
-- the other.
create or replace function enqueue(
  name text, payload json, attempts integer default 16, priority integer default 0, run_at timestamptz default null,
  job_key text default null, queue_name text default null
) returns bigint
language plpgsql as $$
#variable_conflict use_variable
declare
  added bigint;
begin
  select job.id into added
  from graphile_worker.add_job(
    name, payload, queue_name => queue_name, run_at => run_at, max_attempts => attempts, job_key => job_key, priority => priority
  ) job;
  -- These notifications are for our own wake-ups; graphile-worker ignores a count of 0.
  if queue_name is not null then
    -- A worker that looks for a job locks all queues that are available, even if it finds none, and
    -- the one that this job wakes passes over locked queues: it has to look again.
    perform pg_notify('jobs:insert', '{"count": 0, "queued": true}');
  end if;
  if run_at > now() then
    -- The time in milliseconds since the epoch, so that each worker sets its timer.
    perform pg_notify('jobs:insert', json_build_object('count', 0, 'at', ceil(extract(epoch from run_at) * 1000)::bigint)::text);
  end if;
  return added;
end
$$;
