-- dismiss_group: deletes one batch of a group of the viewer's notifications, up to an id; batches
-- keep transactions short.
-- $1 viewer bigint
-- $2 group_key text
-- $3 up_to bigint
-- $4 limit integer
-- rows: one; how many were deleted
-- plan: no sequential scan
-- 500 of 10,000: 3,900 buffers, 2.5 ms.
with removed as (
  delete from notifications n
  where n.id in (
    select old.id
    from notifications old
    where old.account_id = $1 and old.group_key = $2 and not old.filtered and old.id <= $3
    order by old.id desc
    limit $4::integer
  )
  returning n.id
), logged as (
  insert into events (kind, account_id, data)
  select 'notifications.changed', $1, '{"change": "dismissed"}' where exists (select from removed)
  returning event_json(events) as event
)
select count(*)::integer as amount, (select jsonb_agg(logged.event) from logged) as events from removed
