-- remove_follower: removes an account's follow of the viewer, or (`asked`) its request. Run under
-- lock_pair.
-- $1 viewer bigint
-- $2 follower bigint
-- $3 asked boolean
-- rows: one for each removed relation
-- plan: no sequential scan
with listed as (
  select l.id
  from lists l
  join list_accounts m on m.list_id = l.id
  where l.account_id = $2 and m.account_id = $1 and l.account_id <> m.account_id
), unfollowed as (
  delete from follows f where f.account_id = $2 and f.target_account_id = $1 and not $3::boolean
  returning f.id
), refused as (
  delete from follow_requests r where r.account_id = $2 and r.target_account_id = $1 and $3
  returning r.id
), removed as (
  select unfollowed.id from unfollowed
  union all
  select refused.id from refused
), unlisted as (
  delete from list_accounts m using listed, removed where m.list_id = listed.id and m.account_id = $1
  returning m.list_id
), logged as (
  insert into events (kind, actor_id, account_id, object_id, data)
  select 'relationship.changed', $2::bigint, $1::bigint, null::bigint, '{"change": "unfollow"}'::jsonb from unfollowed
  union all
  select 'relationship.changed', $2, $1, null, '{"change": "unrequest"}' from refused
  union all
  select 'list.changed', null, $2, unlisted.list_id, '{"change": "members"}' from unlisted
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
