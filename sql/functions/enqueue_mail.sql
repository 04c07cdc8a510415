-- A trigger of notifications: the job of an e-mail about one, due in two minutes. Within these a server process that streams the
-- notification to its recipient takes the job away again by its key (sql/queries/notification_mail/withhold.sql); jobs of those who always
-- want e-mails have none. The number of tries is that of src/notification_mail/send.ts.
create or replace function enqueue_mail() returns trigger language plpgsql as $$
declare
  due timestamptz := now() + interval '2 minutes';
begin
  perform graphile_worker.add_job(
    'notification_mail:send',
    json_build_object('notification_id', new.id::text),
    run_at => due,
    max_attempts => 6,
    job_key => case when not u.mail_always then 'notification_mail:' || new.id end
  )
  from users u
  where u.account_id = new.account_id and new.type = any (u.mail_types)
    and (u.mail_always or not exists (select from push_subscriptions s where s.user_id = u.id));
  if found then
    -- As jobs/enqueue does: workers set their timers.
    perform pg_notify('jobs:insert', json_build_object('count', 0, 'at', ceil(extract(epoch from due) * 1000)::bigint)::text);
  end if;
  return null;
end
$$;
