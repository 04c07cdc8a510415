-- begin: adds a job for each e-mail that is due. E-mails wait for at most 140 seconds; those that
-- are due later were recorded before the clock was set back.
-- $1 limit integer
-- rows: one; begun: how many
-- plan: no sequential scan
with due as (
  select w.notification_id
  from waiting_emails w
  where w.due_at <= now() or w.due_at > now() + interval '3 minutes'
  order by w.due_at
  limit (select $1::integer)
  for update skip locked
), begun as (
  delete from waiting_emails w using due where w.notification_id = due.notification_id returning w.notification_id
), past as (
  delete from email_rounds r where r.due_at <= now() or r.due_at > now() + interval '3 minutes'
), added as materialized (
  select enqueue('notification_mail.send', json_build_object('notification_id', begun.notification_id::text))
  from begun order by begun.notification_id
)
select count(*)::integer as begun from added
