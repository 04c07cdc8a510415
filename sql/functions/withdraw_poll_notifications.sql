-- Deletes the notifications about the end of a poll that is to end again, or is to be removed:
-- otherwise its next end would notify nobody who was notified of this one. Logs
-- notifications.changed for each recipient and returns the events. The caller has locked the poll
-- and still has its votes, which say who was notified.
create or replace function withdraw_poll_notifications(poll bigint, author bigint) returns jsonb
language sql as $$
  with recipients as materialized (
    select author as id union select v.account_id from poll_votes v where v.poll_id = poll
  ), removed as (
    delete from notifications n using recipients r
    where n.account_id = r.id and n.type = 'poll' and n.from_account_id = author and n.activity_id = poll
    returning n.account_id, n.status_id
  ), logged as (
    insert into events as e (kind, account_id, actor_id, status_id, data)
    select 'notifications.changed', removed.account_id, author, removed.status_id, '{"change": "withdrawn"}' from removed
    returning event_json(e) as event
  )
  select coalesce(jsonb_agg(logged.event), '[]') from logged
$$;
