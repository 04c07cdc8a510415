-- enqueue: adds a job, which runs after this transaction has committed. A job that waits under the same key is replaced.
-- For a job that is to run later the second notification says when, in milliseconds since the epoch, so that each worker sets its
-- timer; graphile-worker takes a count of 0 for nothing to do.
-- $1 name text
-- $2 payload jsonb
-- $3 attempts integer
-- $4 priority integer
-- $5 at timestamptz
-- $6 key text
-- rows: one
with added as (
  select job.id, job.run_at
  from graphile_worker.add_job(
    identifier => $1::text, payload => $2::jsonb::json, run_at => $5::timestamptz,
    max_attempts => $3::integer, job_key => $6::text, priority => $4::integer
  ) job
), rung as (
  select pg_notify(
    'jobs:insert', json_build_object('count', 0, 'at', ceil(extract(epoch from added.run_at) * 1000)::bigint)::text
  )
  from added
  where added.run_at > now()
)
select added.id, (select count(*) from rung)::integer as rung from added
