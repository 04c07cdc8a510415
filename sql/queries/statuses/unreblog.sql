-- unreblog: removes the viewer's boost of a status, with its notification. Works as long as the
-- boost exists, even when the status is no longer visible.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when there is no such status, or it is neither boosted nor visible
-- plan: no sequential scan
with target as materialized (
  select o.id, o.account_id
  from statuses s
  join statuses o on o.id = coalesce(s.reblog_of_id, s.id)
  where s.id = $2
), deleted as (
  update statuses b set deleted_at = now()
  from target
  where b.account_id = $1 and b.reblog_of_id = target.id and b.deleted_at is null
  returning b.id, b.reblog_of_id, b as row
), counted as (
  update status_stats c set reblogs_count = greatest(c.reblogs_count - 1, 0)
  from deleted
  where c.status_id = deleted.reblog_of_id
), author_counted as (
  update account_stats c set statuses_count = greatest(c.statuses_count - 1, 0)
  from deleted
  where c.account_id = $1
), muted_rows as (
  delete from notifications n using deleted, target
  where n.account_id = target.account_id and n.type = 'reblog' and n.from_account_id = $1 and n.activity_id = deleted.id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.deleted', $1, deleted.id, status_facts(deleted.row) from deleted
  union all
  select 'status.counted', $1, deleted.reblog_of_id, '{}' from deleted
  returning event_json(events) as event
)
select target.id, (select jsonb_agg(logged.event) from logged) as events
from target
where exists (select from deleted) or exists (select from visible_statuses($1) s where s.id = target.id)
