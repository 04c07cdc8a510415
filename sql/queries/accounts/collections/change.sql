-- change: changes the attributes of a collection, and notifies its members of changes that concern
-- them. Run under lock.
-- $1 collection bigint
-- $2 name text
-- $3 description text
-- $4 language text
-- $5 tag_id bigint
-- $6 sensitive boolean
-- $7 discoverable boolean
-- rows: one
-- plan: no sequential scan
with old as materialized (
  select c.id, c.name, c.description, c.tag_id, c.sensitive, c.language, c.discoverable from collections c where c.id = $1
), changed as (
  update collections c
  set name = $2, description = $3, language = $4, tag_id = $5, sensitive = $6, discoverable = $7, updated_at = now()
  from old
  where c.id = old.id
    and (old.name, old.description, old.language, old.tag_id, old.sensitive, old.discoverable)
      is distinct from ($2, $3, $4, $5, $6, $7)
  returning
    c.id, c.account_id,
    (old.name, old.description, old.tag_id, old.sensitive) is distinct from (c.name, c.description, c.tag_id, c.sensitive) as matters
), notified as materialized (
  select notify(i.account_id, changed.account_id, 'collection_update', null, changed.id) as event
  from changed
  join collection_items i on i.collection_id = changed.id
  where changed.matters and i.state = 'accepted'
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', changed.account_id, changed.id, '{"change": "updated"}' from changed
  returning event_json(events) as event
), recipients as (
  select notified.event from notified where notified.event is not null union all select logged.event from logged
)
select old.id, (select jsonb_agg(recipients.event) from recipients) as events from old
