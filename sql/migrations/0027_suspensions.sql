-- The job that deletes the data of suspended accounts is added with the suspension; before, one
-- looked for them every hour. Locks accounts for an instant; reads the suspended ones by index.

--! function enqueue
--! function enqueue_removal
create trigger accounts_suspended_here after insert or update of suspended_at, suspension_origin on accounts
  for each row when (
    new.suspended_at is not null and new.suspension_origin = 'local' and new.deletion_requested_at is null
  )
  execute function enqueue_removal();

-- For those that are suspended already; the job of one time removes all that are due by then.
select enqueue(
  'account_removal.suspended',
  '{}',
  run_at => a.suspended_at + interval '720 hours',
  job_key => format('account_removal.suspended:%s', extract(epoch from a.suspended_at))
)
from (
  select distinct o.suspended_at
  from accounts o
  where o.suspended_at is not null and o.deletion_requested_at is null and o.suspension_origin = 'local'
) a;
