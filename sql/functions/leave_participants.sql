-- Takes an account whose row is to be deleted out of the participants of direct conversations, and
-- logs conversation.changed for each entry. An entry that then has the participants of another one
-- of the same owner is joined with it. Returns the events. The entries are locked first, in the
-- order of leave_conversations, and then read again.
create or replace function leave_participants(gone bigint, conversations bigint[]) returns jsonb
language plpgsql as $$
declare
  logged jsonb;
begin
  perform from account_conversations k
  where k.conversation_id = any (conversations)
  order by k.conversation_id, k.account_id, k.id
  for update;
  with entries as materialized (
    select k.id, k.account_id, k.status_ids, k.unread, array_remove(k.participant_account_ids, gone) as members, same.id as same_id
    from account_conversations k
    left join account_conversations same
      on same.account_id = k.account_id and same.conversation_id = k.conversation_id
      and same.participant_account_ids = array_remove(k.participant_account_ids, gone)
    where k.conversation_id = any (conversations) and k.participant_account_ids @> array[gone]
  ), changed as (
    update account_conversations k set participant_account_ids = entries.members
    from entries
    where k.id = entries.id and entries.same_id is null
  ), extended as (
    update account_conversations k
    set status_ids = array(select distinct i from unnest(k.status_ids || entries.status_ids) i order by i),
      last_status_id = greatest(k.last_status_id, entries.status_ids[cardinality(entries.status_ids)]),
      unread = k.unread or entries.unread
    from entries
    where k.id = entries.same_id
  ), removed as (
    delete from account_conversations k using entries where k.id = entries.id and entries.same_id is not null
  ), made as (
    insert into events (kind, account_id, object_id)
    select 'conversation.changed', one.account_id, one.id
    from (
      select entries.account_id, entries.id from entries
      union all
      select entries.account_id, entries.same_id from entries where entries.same_id is not null
    ) one
    returning event_json(events) as event
  )
  select coalesce(jsonb_agg(made.event), '[]') into logged from made;
  return logged;
end
$$;
