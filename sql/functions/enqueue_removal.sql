-- A trigger of accounts: adds the job that deletes the data of the accounts suspended at this time,
-- 30 days later. The job finds nothing when the suspension has been lifted by then; accounts that
-- are suspended together share it. A rule about a domain, which suspends at the time of its own,
-- deletes the data itself.
create or replace function enqueue_removal() returns trigger language plpgsql as $$
begin
  if new.domain is not null
    and exists (select from domain_blocks b where b.severity = 'suspend' and b.created_at = new.suspended_at)
  then
    return null;
  end if;
  perform enqueue(
    'account_removal.suspended',
    '{}',
    run_at => new.suspended_at + interval '720 hours',
    job_key => format('account_removal.suspended:%s', extract(epoch from new.suspended_at))
  );
  return null;
end
$$;
