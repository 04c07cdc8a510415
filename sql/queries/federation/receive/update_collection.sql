-- update_collection: changes a known collection of an account of another server as its curator did,
-- and notifies those in it of what concerns them.
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
with old as materialized (
  select c.id, c.name, c.description, c.sensitive, c.language, c.discoverable, c.url from collections c where c.uri = $2 and c.account_id = $1
), changed as (
  update collections c
  set url = $3, name = $4, description = $5, language = $6, sensitive = $7, discoverable = $8, updated_at = now()
  from old
  where c.id = old.id
    and (old.url, old.name, old.description, old.language, old.sensitive, old.discoverable) is distinct from ($3, $4, $5, $6, $7, $8)
  returning c.id, c.account_id, (old.name, old.description, old.sensitive) is distinct from (c.name, c.description, c.sensitive) as matters
), notified as materialized (
  select notify(i.account_id, changed.account_id, 'collection_update', null, changed.id) as event
  from changed
  join collection_items i on i.collection_id = changed.id and i.state = 'accepted'
  where changed.matters
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', changed.account_id, changed.id, '{"change": "updated"}' from changed
  returning event_json(events) as event
), recipients as (
  select notified.event from notified where notified.event is not null union all select logged.event from logged
)
select changed.id, (select jsonb_agg(recipients.event) from recipients) as events from changed
