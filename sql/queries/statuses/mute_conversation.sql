-- mute_conversation: mutes the thread of a status for the viewer. Has no effect when it is muted
-- already.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when the status is not visible, else one; conversation_id is null when it belongs to
--   no thread, and nothing was done
-- plan: no sequential scan
with visible as materialized (
  select s.id, s.conversation_id from visible_statuses($1) s where s.id = $2
), muted as (
  insert into conversation_mutes (account_id, conversation_id)
  select $1, visible.conversation_id from visible where visible.conversation_id is not null
  on conflict do nothing
  returning conversation_mutes.conversation_id
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'interaction.changed', $1, muted.conversation_id, '{"change": "mute"}' from muted
  returning event_json(events) as event
)
select visible.id, visible.conversation_id, (select jsonb_agg(logged.event) from logged) as events from visible
