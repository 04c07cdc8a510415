-- A trigger of notifications: keeps the e-mails about new ones waiting for two minutes, in which a
-- server process that streams the notification to its recipient cancels it
-- (sql/queries/notifications/email/cancel.sql), unless the user always wants e-mails. In a
-- transaction with millrace.unmailed, there are no e-mails.
-- The e-mails of 20 seconds have one job, which the first of them adds: a job for each was two
-- thirds of the work of a mention.
-- Users are looked up one by one: the plan is made for the first statement of a connection, and
-- must suit one notification as well as many.
create or replace function enqueue_mail() returns trigger language plpgsql as $$
declare
  due timestamptz := to_timestamp(ceil(extract(epoch from now() + interval '2 minutes') / 20) * 20);
begin
  if current_setting('millrace.unmailed', true) = 'on' then
    return null;
  end if;
  insert into waiting_emails (notification_id, due_at, always)
  select n.id, due, u.mail_always
  from added n
  cross join lateral (
    select u.mail_always
    from users u
    where u.account_id = n.account_id and n.type = any (u.mail_types)
      and (u.mail_always or not exists (select from push_subscriptions s where s.user_id = u.id))
    offset 0
  ) u
  where not n.filtered
  on conflict do nothing; -- a notification that was removed and restored
  if found and not exists (select from email_rounds r where r.due_at = due) then
    insert into email_rounds (due_at) values (due) on conflict do nothing;
    if found then
      perform enqueue('notification_mail.begin', '{}', run_at => due);
    end if;
  end if;
  return null;
end
$$;
