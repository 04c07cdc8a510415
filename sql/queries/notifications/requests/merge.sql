-- merge: restores one batch of a sender's filtered notifications, oldest first; direct mentions
-- enter conversations. A request that was stored while its sender was being exempted is removed.
-- $1 viewer bigint
-- $2 sender bigint
-- $3 after bigint
-- $4 limit integer
-- rows: one; last: the notification after which the next batch begins, null after the last batch;
--   done: how many were restored
-- plan: no sequential scan
-- 200 direct mentions of 20,000: 10,000 to 12,000 buffers, 14 to 40 ms.
with held as materialized (
  select n.id, n.type, n.status_id
  from notifications n
  where n.account_id = $1 and n.from_account_id = $2 and n.filtered and n.id > $3
  order by n.id
  limit $4::integer
  for update
), shown as (
  update notifications n set filtered = false from held where n.id = held.id
), unrequested as (
  delete from notification_requests r where r.account_id = $1 and r.from_account_id = $2
), logged as (
  insert into events (kind, account_id, data)
  select 'notifications.changed', $1, '{"change": "restored"}' where exists (select from held)
  returning event_json(events) as event
), direct as materialized (
  select s.id, s.conversation_id, s.account_id
  from held
  join statuses s on s.id = held.status_id
  where held.type = 'mention' and s.visibility = 'direct' and s.deleted_at is null and s.conversation_id is not null
  order by s.id
), inserted as materialized (
  select enter_conversation(
    $1, direct.conversation_id, direct.id,
    array(select m.account_id from mentions m where m.status_id = direct.id and not m.silent) || direct.account_id, true
  ) as event
  from direct
)
select
  case when count(*) = $4 then max(held.id) end as last,
  count(*)::integer as done,
  (
    select jsonb_agg(happened.event)
    from (select inserted.event from inserted where inserted.event is not null union all select logged.event from logged) happened
  ) as events
from held
