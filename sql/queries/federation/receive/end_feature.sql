-- end_feature: a remote account rejects the request to be in a local collection, or revokes the
-- authorization with this URI to be in a local or remote one.
-- $1 item bigint
-- $2 collection bigint
-- $3 curator bigint
-- $4 account bigint
-- $5 approval_uri text
-- rows: none when there is no such item
-- plan: no sequential scan
with refused as (
  update collection_items i set state = case i.state when 'pending' then 'rejected' else 'revoked' end, approval_uri = null
  from collections c
  where i.account_id = $4 and i.state in ('pending', 'accepted')
    and c.id = i.collection_id
    and case
      when $5::text is null then c.uri is null and (i.id = $1::bigint or i.collection_id = $2::bigint) and c.account_id = $3::bigint
      else i.approval_uri = $5::text
    end
  returning i.id, i.collection_id, c.account_id as curator_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', refused.curator_id, refused.collection_id, '{"change": "items"}'::jsonb from refused
  returning event_json(events) as event
)
select refused.id, (select jsonb_agg(logged.event) from logged) as events from refused
