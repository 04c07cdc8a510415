-- accept_feature_request: an account of another server accepts the request to be in a local
-- collection.
-- $1 item bigint
-- $2 collection bigint
-- $3 curator bigint
-- $4 account bigint
-- $5 approval_uri text
-- rows: none when there is no such pending item
-- plan: no sequential scan
with accepted as (
  update collection_items i set state = 'accepted', approval_uri = $5::text
  from collections c
  where (i.id = $1::bigint or i.collection_id = $2::bigint) and i.account_id = $4 and i.state = 'pending'
    and c.id = i.collection_id and c.account_id = $3 and c.uri is null
  returning i.id, i.collection_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', $3::bigint, accepted.collection_id, '{"change": "items"}'::jsonb from accepted
  returning event_json(events) as event
)
select accepted.id, (select jsonb_agg(logged.event) from logged) as events from accepted
