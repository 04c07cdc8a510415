-- mark: marks a conversation as read or unread by the viewer.
-- $1 viewer bigint
-- $2 conversation bigint
-- $3 unread boolean
-- rows: none when the viewer has no such conversation, else one
-- plan: no sequential scan
with marked as (
  update account_conversations c set unread = $3 where c.id = $2 and c.account_id = $1
  returning c.id, c.participant_account_ids, c.last_status_id, c.unread
), logged as (
  insert into events (kind, account_id, status_id, object_id)
  select 'conversation.changed', $1, marked.last_status_id, marked.id from marked
  returning event_json(events) as event
)
select
  marked.id, marked.participant_account_ids as participants, marked.last_status_id, marked.unread,
  (select jsonb_agg(logged.event) from logged) as events
from marked
