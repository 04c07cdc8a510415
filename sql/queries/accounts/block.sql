-- block: the viewer blocks an account. Ends the follows and follow requests of both sides with
-- their list memberships and endorsements, and revokes each one's place in the other's collections.
-- Removes the account's notifications, notification request and permission, and the conversations
-- with it. Run under lock_pair.
-- $1 viewer bigint
-- $2 target bigint
-- rows: one; sent: how many notices of leaving a collection; events is null when it was blocked
--   already
-- plan: no sequential scan
with blocked as (
  insert into blocks (account_id, target_account_id) values ($1, $2)
  on conflict (account_id, target_account_id) do nothing
  returning blocks.id
), sides as (
  select $1::bigint as account_id, $2::bigint as target_account_id
  union all
  select $2, $1
), listed as (
  select l.id, l.account_id as owner_id, m.account_id
  from sides
  join lists l on l.account_id = sides.account_id
  join list_accounts m on m.list_id = l.id and m.account_id = sides.target_account_id
), unlisted as (
  delete from list_accounts m using listed
  where m.list_id = listed.id and m.account_id = listed.account_id
  returning m.list_id, listed.owner_id
), unfollowed as (
  delete from follows f using sides
  where f.account_id = sides.account_id and f.target_account_id = sides.target_account_id
  returning f.account_id, f.target_account_id
), unrequested as (
  delete from follow_requests r using sides
  where r.account_id = sides.account_id and r.target_account_id = sides.target_account_id
  returning r.account_id, r.target_account_id
), uncollected as (
  update collection_items i set state = 'revoked'
  from sides
  join collections c on c.account_id = sides.account_id
  where i.collection_id = c.id and i.account_id = sides.target_account_id and i.state in ('pending', 'accepted')
  returning i.id, i.account_id, c.id as collection_id, c.account_id as curator_id
), left_elsewhere as materialized (
  select enqueue('federation.send_left_collection', json_build_object('item', uncollected.id::text)) as job
  from uncollected
  join accounts v on v.id = uncollected.account_id and v.domain is null
  join accounts o on o.id = uncollected.curator_id and o.domain is not null
  where uncollected.account_id = $1
), dismissed as (
  delete from notifications n where n.account_id = $1 and n.from_account_id = $2
), unasked as (
  delete from notification_requests r where r.account_id = $1 and r.from_account_id = $2
), unpermitted as (
  delete from notification_permissions p where p.account_id = $1 and p.from_account_id = $2
), without_language as (
  delete from account_conversations v where v.account_id = $1 and $2 = any (v.participant_account_ids)
), logged as (
  insert into events (kind, actor_id, account_id, object_id, data)
  select 'relationship.changed', $1, $2, null::bigint, '{"change": "block"}'::jsonb from blocked
  union all
  select 'relationship.changed', unfollowed.account_id, unfollowed.target_account_id, null, '{"change": "unfollow"}'
  from unfollowed
  union all
  select 'relationship.changed', unrequested.account_id, unrequested.target_account_id, null, '{"change": "unrequest"}'
  from unrequested
  union all
  select 'list.changed', null, unlisted.owner_id, unlisted.list_id, '{"change": "members"}' from unlisted
  union all
  select distinct 'collection.changed', null::bigint, uncollected.curator_id, uncollected.collection_id, '{"change": "items"}'::jsonb
  from uncollected
  returning event_json(events) as event
)
select (select count(*) from left_elsewhere)::integer as sent, (select jsonb_agg(logged.event) from logged) as events
