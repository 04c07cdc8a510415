-- remove: deletes a role, and records it in the audit log; its members get the base role.
-- $1 moderator bigint
-- $2 role bigint
-- rows: one
-- plan: the members of a role by index
with members as materialized (
  select u.account_id from users u where u.role_id = $2
), removed as (
  delete from roles r where r.id = $2 and r.id <> -99 returning r.id, r.name
), noted as materialized (
  select log_action($1::bigint, 'destroy', 'UserRole', removed.id, removed.name) from removed
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'role.changed', null::bigint, removed.id, '{}'::jsonb from removed
  union all
  select 'account.changed', members.account_id, null, '{"change": "role"}' from members
  union all
  select 'user.changed', members.account_id, null, '{"change": "role"}' from members
  returning event_json(events) as event
)
select (select count(*) from noted)::integer as removed, (select jsonb_agg(logged.event) from logged) as events
