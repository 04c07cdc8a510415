-- add_member: adds a remote account, which agreed, to a remote collection, unless that is full. Run
-- under lock.
-- $1 collection bigint
-- $2 account bigint
-- $3 uri text
-- $4 approval_uri text
-- $5 limit integer
-- rows: none when nothing has changed
-- plan: no sequential scan
with added as (
  insert into collection_items as i (collection_id, account_id, state, uri, approval_uri)
  select c.id, a.id, 'accepted', $3, $4
  from collections c
  join accounts a on a.id = $2 and a.domain is not null and a.deletion_requested_at is null
  where c.id = $1
    and (
      exists (select from collection_items o where o.collection_id = c.id and o.account_id = a.id)
      or (
        select count(*) from collection_items o where o.collection_id = c.id and o.state in ('pending', 'accepted')
      ) < $5::integer
    )
  on conflict (collection_id, account_id) do update
  set state = excluded.state, uri = excluded.uri, approval_uri = excluded.approval_uri
  where (i.state, i.uri, i.approval_uri) is distinct from (excluded.state, excluded.uri, excluded.approval_uri)
  returning i.id, i.collection_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', c.account_id, c.id, '{"change": "items"}'::jsonb
  from added
  join collections c on c.id = added.collection_id
  returning event_json(events) as event
)
select added.id, (select jsonb_agg(logged.event) from logged) as events from added
