-- Takes deleted statuses out of the entries of a direct conversation, removes entries without a
-- status, and logs conversation.changed for each. Returns the events. The entries are locked first,
-- in the order of post_status, and then read again: statuses that are deleted or posted meanwhile
-- change them too.
create or replace function leave_conversations(conversation bigint, gone bigint[], author bigint) returns jsonb
language plpgsql as $$
declare
  logged jsonb;
begin
  perform from account_conversations k
  where k.conversation_id = conversation and k.status_ids && gone
  order by k.account_id, k.id
  for update;
  with entries as materialized (
    select k.id, k.account_id, array(select i from unnest(k.status_ids) i where i <> all (gone) order by i) as status_ids
    from account_conversations k
    where k.conversation_id = conversation and k.status_ids && gone
  ), shortened as (
    update account_conversations k
    set status_ids = entries.status_ids, last_status_id = entries.status_ids[cardinality(entries.status_ids)]
    from entries
    where k.id = entries.id and entries.status_ids <> '{}'
  ), cleared as (
    delete from account_conversations k using entries where k.id = entries.id and entries.status_ids = '{}'
  ), made as (
    insert into events (kind, actor_id, account_id, status_id, object_id)
    select 'conversation.changed', author, entries.account_id, gone[1], entries.id from entries
    returning event_json(events) as event
  )
  select coalesce(jsonb_agg(made.event), '[]') into logged from made;
  return logged;
end
$$;
