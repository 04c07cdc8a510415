-- unfollow_all: ends the follows of an account by up to 500 local accounts.
-- $1 target bigint
-- rows: one
-- plan: no sequential scan; 500 follows by index
with leaving as materialized (
  select f.id, f.account_id from follows f join accounts a on a.id = f.account_id
  where f.target_account_id = $1 and a.domain is null
  order by f.id
  limit 500
), unlisted as (
  delete from list_accounts l using leaving where l.follow_id = leaving.id returning l.list_id
), unfollowed as (
  delete from follows f using leaving where f.id = leaving.id returning f.account_id
), logged as (
  insert into events (kind, actor_id, account_id, object_id, data)
  select 'relationship.changed', unfollowed.account_id, $1::bigint, null::bigint, '{"change": "unfollow"}'::jsonb from unfollowed
  union all
  select 'list.changed', null, l.account_id, l.id, '{"change": "members"}' from unlisted join lists l on l.id = unlisted.list_id
  returning event_json(events) as event
)
select (select count(*) from unfollowed)::integer as unfollowed, (select jsonb_agg(logged.event) from logged) as events
