-- add_item: adds an account to a collection and notifies it. Run under lock and
-- lock_members.
-- $1 collection bigint
-- $2 account bigint
-- $3 limit integer
-- rows: none when the account is unknown, else one; id is null when the account does not allow it,
--   is or was a member, or the collection is full
-- plan: no sequential scan
with verdict as materialized (
  select
    c.id, c.account_id as curator_id, a.id as member_id, a.domain,
    allows_featuring(c.account_id, a) as willing,
    exists (select from collection_items i where i.collection_id = c.id and i.account_id = a.id) as taken,
    (
      select count(*) from collection_items i where i.collection_id = c.id and i.state in ('pending', 'accepted')
    ) < $3::integer as has_room
  from collections c
  join accounts a on a.id = $2 and not a.pending and a.deletion_requested_at is null
  where c.id = $1
), added as (
  insert into collection_items (collection_id, account_id, state)
  select verdict.id, verdict.member_id, case when verdict.domain is null then 'accepted' else 'pending' end
  from verdict
  where verdict.willing and not verdict.taken and verdict.has_room
  returning collection_items.id, collection_items.state, collection_items.created_at
), notified as materialized (
  select notify(verdict.member_id, verdict.curator_id, 'added_to_collection', null, verdict.id) as event
  from verdict cross join added
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', verdict.curator_id, verdict.id, '{"change": "items"}' from verdict cross join added
  returning event_json(events) as event
), recipients as (
  select notified.event from notified where notified.event is not null union all select logged.event from logged
)
select
  verdict.willing, verdict.taken, verdict.has_room, added.id, added.state, added.created_at,
  (select jsonb_agg(recipients.event) from recipients) as events
from verdict
left join added on true
