-- failing_jobs: counts the background jobs that failed permanently, those that will be retried, and
-- the failing jobs of e-mails, with their latest error.
-- $1 mail text[]
-- rows: one; $1: the kinds of jobs that send e-mails
-- plan: all waiting and failed jobs
with failing as (
  select job.task_identifier as kind, job.attempts >= job.max_attempts as given_up, job.last_error as error, job.updated_at
  from graphile_worker.jobs job
  where job.last_error is not null
)
select
  count(*) filter (where f.given_up)::integer as given_up,
  count(*) filter (where not f.given_up)::integer as retrying,
  count(*) filter (where f.kind = any ((select $1::text[])::text[]))::integer as mails,
  (select m.error from failing m where m.kind = any ((select $1::text[])::text[]) order by m.updated_at desc limit 1) as mail_error
from failing f
