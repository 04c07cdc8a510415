-- finish: records that the notifications of some senders are restored; after the last sender the
-- viewer is notified. Run under lock_merges.
-- $1 viewer bigint
-- $2 senders bigint[]
-- rows: one
-- plan: no sequential scan
with finished as (
  delete from notification_merges m where m.account_id = $1 and m.from_account_id = any ((select $2::bigint[])::bigint[])
  returning m.from_account_id
), logged as (
  insert into events (kind, account_id)
  select 'notifications.merged', $1::bigint
  where exists (select from finished)
    and not exists (select from notification_merges m where m.account_id = $1 and m.from_account_id <> all ($2))
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
