-- create: a new collection of the viewer with these accounts, all of them or none; notifies them.
-- Run under lock_account and lock_members.
-- $1 viewer bigint
-- $2 name text
-- $3 description text
-- $4 language text
-- $5 tag_id bigint
-- $6 sensitive boolean
-- $7 discoverable boolean
-- $8 accounts bigint[]
-- rows: one; id is null when an account is unknown or does not allow it, or the viewer has the
--   maximum of collections
-- plan: no sequential scan
with given as materialized (
  select input.place, a.id, a.domain, allows_featuring($1, a) as willing
  from unnest((select $8::bigint[])) with ordinality input (id, place)
  left join accounts a on a.id = input.id and not a.pending and a.deletion_requested_at is null
), verdict as materialized (
  select
    (count(*) filter (where given.id is null))::integer as unknown,
    (count(*) filter (where given.id is not null and not given.willing))::integer as unwilling,
    (select count(*) from collections c where c.account_id = $1) < (
      select r.collection_limit from users u join roles r on r.id = coalesce(u.role_id, -99) where u.account_id = $1
    ) as has_room
  from given
), created as (
  insert into collections (account_id, name, description, language, tag_id, sensitive, discoverable)
  select $1, $2, $3, $4, $5, $6, $7 from verdict where verdict.unknown + verdict.unwilling = 0 and verdict.has_room
  returning collections.id
), filled as (
  insert into collection_items (collection_id, account_id, state)
  select created.id, given.id, case when given.domain is null then 'accepted' else 'pending' end
  from created cross join given
  order by given.place
  returning collection_items.account_id, collection_items.collection_id
), notified as materialized (
  select notify(filled.account_id, $1, 'added_to_collection', null, filled.collection_id) as event from filled
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', $1, created.id, '{"change": "created"}' from created
  returning event_json(events) as event
), recipients as (
  select notified.event from notified where notified.event is not null union all select logged.event from logged
)
select
  verdict.unknown, verdict.unwilling, verdict.has_room, (select created.id from created) as id,
  (select jsonb_agg(recipients.event) from recipients) as events
from verdict
