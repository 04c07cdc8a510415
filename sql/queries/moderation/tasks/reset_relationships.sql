-- reset_relationships: ends up to 500 follows by an account, of it, or both.
-- $1 account bigint
-- $2 follows boolean
-- $3 followers boolean
-- rows: one
-- plan: no sequential scan; 500 follows by index
with leaving as materialized (
  select both_ways.id
  from (
    (select f.id from follows f where $2::boolean and f.account_id = $1 limit 500)
    union
    (select f.id from follows f where $3::boolean and f.target_account_id = $1 limit 500)
  ) both_ways
  limit 500
), unlisted as (
  delete from list_accounts l using leaving where l.follow_id = leaving.id returning l.list_id
), ended as (
  delete from follows f using leaving where f.id = leaving.id returning f.account_id, f.target_account_id
), logged as (
  insert into events (kind, actor_id, account_id, object_id, data)
  select 'relationship.changed', ended.account_id, ended.target_account_id, null::bigint, '{"change": "unfollow"}'::jsonb from ended
  union all
  select 'list.changed', null, l.account_id, l.id, '{"change": "members"}'
  from (select distinct unlisted.list_id from unlisted) changed
  join lists l on l.id = changed.list_id
  returning event_json(events) as event
)
select (select count(*) from ended)::integer as ended, (select jsonb_agg(logged.event) from logged) as events
