-- update_collection: updates a stored remote collection, and notifies its local members of a change
-- of the name, the description or the sensitivity, unless the curator is suspended here.
-- $1 curator bigint
-- $2 uri text
-- $3 page text
-- $4 name text
-- $5 description text
-- $6 language text
-- $7 sensitive boolean
-- $8 discoverable boolean
-- rows: none when it is unknown or as before, else one
-- plan: no sequential scan
with stored as materialized (
  select c.id, c.name, c.description, c.sensitive, c.language, c.discoverable, c.url from collections c where c.uri = $2 and c.account_id = $1
), changed as (
  update collections c
  set url = $3, name = $4, description = $5, language = $6, sensitive = $7, discoverable = $8, updated_at = now()
  from stored
  where c.id = stored.id
    and (stored.url, stored.name, stored.description, stored.language, stored.sensitive, stored.discoverable) is distinct from ($3, $4, $5, $6, $7, $8)
  returning c.id, c.account_id, (stored.name, stored.description, stored.sensitive) is distinct from (c.name, c.description, c.sensitive) as notifies
), notified as materialized (
  select notify(i.account_id, changed.account_id, 'collection_update', null, changed.id) as event
  from changed
  join accounts o on o.id = changed.account_id and o.suspended_at is null
  join collection_items i on i.collection_id = changed.id and i.state = 'accepted'
  where changed.notifies
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', changed.account_id, changed.id, '{"change": "updated"}' from changed
  returning event_json(events) as event
), logged_and_notified as (
  select notified.event from notified where notified.event is not null union all select logged.event from logged
)
select changed.id, (select jsonb_agg(logged_and_notified.event) from logged_and_notified) as events from changed
