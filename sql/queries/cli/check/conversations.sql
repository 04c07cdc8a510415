-- conversations: finds direct conversations of a batch that list deleted or foreign statuses, whose
-- last status is another one, or with members that do not exist; corrects them on request, joins
-- those that have the same members then, and removes those without a status.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select k.id, k.account_id, k.conversation_id, k.status_ids, k.last_status_id, k.participant_account_ids, k.unread
  from account_conversations k
  where k.id > $1
  order by k.id
  limit 200
), compared as materialized (
  select
    batch.*,
    array(
      select s.id
      from unnest(batch.status_ids) i (id)
      join statuses s on s.id = i.id and s.deleted_at is null and s.conversation_id = batch.conversation_id
      order by s.id
    ) as shown,
    array(
      select i.id from unnest(batch.participant_account_ids) with ordinality i (id, place)
      where exists (select from accounts a where a.id = i.id)
      order by i.place
    ) as members
  from batch
), wrong as materialized (
  select compared.*
  from compared
  where compared.shown <> compared.status_ids
    or compared.members <> compared.participant_account_ids
    or compared.last_status_id is distinct from compared.shown[cardinality(compared.shown)]
), same as materialized (
  -- The wrong ones with those, right or wrong, that have the members that these are to have.
  select wrong.account_id, wrong.conversation_id, wrong.members, wrong.id, wrong.status_ids, wrong.unread,
    wrong.members = wrong.participant_account_ids as is_kept
  from wrong
  union
  select k.account_id, k.conversation_id, k.participant_account_ids, k.id, k.status_ids, k.unread, true
  from wrong
  join account_conversations k
    on k.account_id = wrong.account_id and k.conversation_id = wrong.conversation_id
    and k.participant_account_ids = wrong.members
), joined as materialized (
  select
    one.*,
    array(
      select distinct s.id
      from same
      cross join unnest(same.status_ids) i (id)
      join statuses s on s.id = i.id and s.deleted_at is null and s.conversation_id = one.conversation_id
      where (same.account_id, same.conversation_id, same.members) = (one.account_id, one.conversation_id, one.members)
      order by s.id
    ) as shown
  from (
    select same.account_id, same.conversation_id, same.members, bool_or(same.unread) as unread,
      (array_agg(same.id order by same.is_kept desc, same.id))[1] as id
    from same
    group by same.account_id, same.conversation_id, same.members
  ) one
), fixed as (
  update account_conversations k
  set status_ids = joined.shown, last_status_id = joined.shown[cardinality(joined.shown)],
    participant_account_ids = joined.members, unread = joined.unread
  from joined join same on same.id = joined.id
  where $2 and k.id = joined.id and joined.shown <> '{}' and k.status_ids = same.status_ids
  returning k.id, k.account_id
), removed as (
  delete from account_conversations k
  using same, joined
  where $2 and k.id = same.id and k.status_ids = same.status_ids
    and (same.account_id, same.conversation_id, same.members) = (joined.account_id, joined.conversation_id, joined.members)
    and (joined.shown = '{}' or (same.id <> joined.id and joined.id in (select fixed.id from fixed)))
  returning k.id, k.account_id
), logged as (
  insert into events (kind, account_id, object_id)
  select 'conversation.changed', changed.account_id, changed.id
  from (select fixed.id, fixed.account_id from fixed union all select removed.id, removed.account_id from removed) changed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', case
      when wrong.shown <> wrong.status_ids then 'it lists statuses that are deleted or of another conversation'
      when wrong.members <> wrong.participant_account_ids then 'it has members that do not exist'
      else 'its last status is not the newest'
    end) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
