-- Twelve attempts, the default, ended after 16 hours, and the six of some e-mails after four
-- minutes, while they are to wait for a day and a half. What waits gets the new number; what has
-- failed for good stays so. Locks only the jobs that it changes.
do $$
begin
  -- The schema is also made without the tables of graphile-worker, for sql/schema.sql.
  if to_regclass('graphile_worker._private_jobs') is null then
    return;
  end if;
  update graphile_worker._private_jobs j
  set max_attempts = 16
  from graphile_worker._private_tasks t
  where t.id = j.task_id and j.attempts < j.max_attempts
    and (
      j.max_attempts = 12
      or t.identifier in ('notification_mail.send', 'email_subscriptions.confirm', 'member_mailings.test')
        and j.max_attempts < 12
    );
end
$$;
