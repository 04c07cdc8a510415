-- waiting_emails: finds e-mails of a batch that were due an hour ago and wait for a notification
-- which no longer exists; forgets them on request. Until they are due, such e-mails are normal.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select e.notification_id as id, e.due_at from waiting_emails e where e.notification_id > $1 order by e.notification_id limit 1000
), wrong as materialized (
  select batch.id from batch where batch.due_at < now() - interval '1 hour' and not exists (select from notifications n where n.id = batch.id)
), fixed as (
  delete from waiting_emails e using wrong where $2 and e.notification_id = wrong.id
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', 'the notification does not exist') order by wrong.id) from wrong) as findings,
  null::jsonb as events
