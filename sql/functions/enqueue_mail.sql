-- A trigger of notifications: adds the job of an e-mail about one, due in two minutes. A server
-- process that streams the notification to its recipient within that time removes the job by its
-- key (sql/queries/notifications/email/withhold.sql); jobs of users who always want e-mails have no
-- key.
create or replace function enqueue_mail() returns trigger language plpgsql as $$
begin
  perform enqueue(
    'notification_mail.send',
    json_build_object('notification_id', new.id::text),
    attempts => 6,
    run_at => now() + interval '2 minutes',
    job_key => case when not u.mail_always then 'notification_mail:' || new.id end
  )
  from users u
  where u.account_id = new.account_id and new.type = any (u.mail_types)
    and (u.mail_always or not exists (select from push_subscriptions s where s.user_id = u.id));
  return null;
end
$$;
