-- grant_feature_request: adds a local account to a remote collection, if the account's settings
-- allow that and the collection is not full, and notifies it. An account that has left the
-- collection is not added again. Run under lock_account of the curator, lock and lock_members.
-- $1 curator bigint
-- $2 account bigint
-- $3 uri text
-- $4 page text
-- $5 name text
-- $6 description text
-- $7 language text
-- $8 sensitive boolean
-- $9 discoverable boolean
-- $10 collections_limit integer
-- $11 items_limit integer
-- rows: one; item: null when the account is not in the collection
-- plan: no sequential scan
with allowed as materialized (
  select a.id
  from accounts a
  left join collections c on c.uri = $3
  where a.id = $2 and a.domain is null and not a.pending and a.deletion_requested_at is null and allows_featuring($1, a)
    and case
      when c.id is null then (select count(*) from collections o where o.account_id = $1) < $10::integer
      else
        exists (select from collection_items i where i.collection_id = c.id and i.account_id = a.id)
        or (
          select count(*) from collection_items i where i.collection_id = c.id and i.state in ('pending', 'accepted')
        ) < $11::integer
    end
), stored as (
  insert into collections as c (account_id, name, description, language, sensitive, discoverable, uri, url)
  select $1, $5, $6, $7, $8, $9, $3, $4 from allowed
  on conflict (uri) do update
    set name = excluded.name, description = excluded.description, language = excluded.language, sensitive = excluded.sensitive,
      discoverable = excluded.discoverable, url = excluded.url, updated_at = now()
  where c.account_id = $1
  returning c.id
), added as (
  insert into collection_items as i (collection_id, account_id, state) select stored.id, $2, 'accepted' from stored
  on conflict (collection_id, account_id) do update set state = excluded.state where i.state = 'pending'
  returning i.id, i.collection_id
), notified as materialized (
  select notify($2, $1, 'added_to_collection', null, added.collection_id) as event from added
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', $1::bigint, added.collection_id, '{"change": "items"}'::jsonb from added
  returning event_json(events) as event
)
select
  coalesce(
    (select added.id from added),
    (
      select i.id
      from collection_items i
      join stored on stored.id = i.collection_id
      where i.account_id = $2 and i.state = 'accepted'
    )
  ) as item,
  (
    select jsonb_agg(every.event)
    from (select logged.event from logged union all select notified.event from notified where notified.event is not null) every
  ) as events
