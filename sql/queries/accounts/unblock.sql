-- unblock: removes the viewer's block.
-- $1 viewer bigint
-- $2 target bigint
-- rows: one; events is null when there was none
-- plan: no sequential scan
with unblocked as (
  delete from blocks b where b.account_id = $1 and b.target_account_id = $2 returning b.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, $2, '{"change": "unblock"}'::jsonb from unblocked
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
