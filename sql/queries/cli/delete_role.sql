-- delete_role: removes a role; its members fall back to the base role.
-- $1 role bigint
-- rows: one
-- plan: the members of a role by index
with members as materialized (
  select u.account_id from users u where u.role_id = $1
), removed as (
  delete from roles r where r.id = $1 and r.id <> -99 returning r.id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'role.changed', null::bigint, removed.id, '{}'::jsonb from removed
  union all
  select 'account.changed', members.account_id, null, '{"change": "role"}' from members
  union all
  select 'user.changed', members.account_id, null, '{"change": "role"}' from members
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
