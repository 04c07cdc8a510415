-- clear: deletes one batch of the viewer's notifications up to an id, filtered ones too; batches
-- keep transactions short.
-- $1 viewer bigint
-- $2 up_to bigint
-- $3 limit integer
-- rows: one; how many were deleted
-- plan: no sequential scan
-- 2,000 rows: 5 ms.
with removed as (
  delete from notifications n
  where n.id in (
    select old.id from notifications old where old.account_id = $1 and old.id <= $2 order by old.id desc limit $3::integer
  )
  returning n.id
), logged as (
  insert into events (kind, account_id, data)
  select 'notifications.changed', $1, '{"change": "dismissed"}' where exists (select from removed)
  returning event_json(events) as event
)
select count(*)::integer as amount, (select jsonb_agg(logged.event) from logged) as events from removed
