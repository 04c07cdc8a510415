-- Adds a direct status to the conversation of one participant (entity Conversation), which is
-- created if none with the same participants exists, and logs conversation.changed. Returns the
-- event.
-- others: the other participants, in any order.
create or replace function enter_conversation(owner bigint, conversation bigint, status bigint, others bigint[], is_unread boolean) returns jsonb
language sql volatile as $$
  with inserted as (
    insert into account_conversations as c
      (account_id, conversation_id, participant_account_ids, status_ids, last_status_id, unread)
    values (
      owner, conversation, array(select distinct o from unnest(others) o where o <> owner order by o), array[status], status,
      is_unread
    )
    on conflict (account_id, conversation_id, participant_account_ids) do update set
      status_ids = array(select distinct i from unnest(c.status_ids || status) i order by i),
      last_status_id = greatest(c.last_status_id, status),
      unread = is_unread
    returning c.id
  ), logged as (
    insert into events (kind, account_id, status_id, object_id)
    select 'conversation.changed', owner, status, inserted.id from inserted
    returning event_json(events) as event
  )
  select logged.event from logged
$$;
