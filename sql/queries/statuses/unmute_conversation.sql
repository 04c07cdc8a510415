-- unmute_conversation: unmutes the thread of a status for the viewer.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when the status is not visible, else one; conversation_id is null when it belongs to
--   no thread
-- plan: no sequential scan
with visible as materialized (
  select s.id, s.conversation_id from visible_statuses($1) s where s.id = $2
), unmuted as (
  delete from conversation_mutes m using visible where m.account_id = $1 and m.conversation_id = visible.conversation_id
  returning m.conversation_id
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'interaction.changed', $1, unmuted.conversation_id, '{"change": "mute"}' from unmuted
  returning event_json(events) as event
)
select visible.id, visible.conversation_id, (select jsonb_agg(logged.event) from logged) as events from visible
