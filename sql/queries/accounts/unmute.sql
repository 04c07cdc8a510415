-- unmute: removes the viewer's mute.
-- $1 viewer bigint
-- $2 target bigint
-- rows: one; events is null when there was none
-- plan: no sequential scan
with unmuted as (
  delete from mutes m where m.account_id = $1 and m.target_account_id = $2 returning m.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, $2, '{"change": "unmute"}'::jsonb from unmuted
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
