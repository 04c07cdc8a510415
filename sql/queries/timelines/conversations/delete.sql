-- delete: removes a conversation from the viewer's list; its statuses stay.
-- $1 viewer bigint
-- $2 conversation bigint
-- rows: none when the viewer has no such conversation, else one
-- plan: no sequential scan
with removed as (
  delete from account_conversations c where c.id = $2 and c.account_id = $1 returning c.id
), logged as (
  insert into events (kind, account_id, object_id) select 'conversation.changed', $1, removed.id from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
