-- save: creates a role, or changes the one with this id, and records it in the audit log. Null
-- values stay unchanged, or get their defaults.
-- Logs events for its users and their accounts, since a role decides on their rights and their
-- badges.
-- $1 moderator bigint
-- $2 id bigint
-- $3 name text
-- $4 color text
-- $5 position integer
-- $6 permissions bigint
-- $7 highlighted boolean
-- $8 require_2fa boolean
-- $9 collection_limit integer
-- rows: one
-- plan: the members of a role by index
with created as (
  insert into roles (name, color, position, permissions, highlighted, require_2fa, collection_limit)
  select $3::text, coalesce($4::text, ''), coalesce($5::integer, 0), coalesce($6::bigint, 0), coalesce($7::boolean, false),
    coalesce($8::boolean, false), coalesce($9::integer, 10)
  where $2::bigint is null
  returning roles.id, roles.name
), changed as (
  update roles r
  set name = coalesce($3, r.name), color = coalesce($4, r.color), position = coalesce($5, r.position),
    permissions = coalesce($6, r.permissions), highlighted = coalesce($7, r.highlighted),
    require_2fa = coalesce($8, r.require_2fa), collection_limit = coalesce($9, r.collection_limit), updated_at = now()
  where r.id = $2
  returning r.id, r.name
), saved as materialized (
  select created.id, created.name, 'create' as action from created
  union all
  select changed.id, changed.name, 'update' from changed
), noted as materialized (
  select saved.id, log_action($1::bigint, saved.action, 'UserRole', saved.id, coalesce(nullif(saved.name, ''), 'everyone')) from saved
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'role.changed', null::bigint, saved.id, '{}'::jsonb from saved
  union all
  select 'account.changed', u.account_id, null, '{"change": "role"}' from users u join changed on changed.id = u.role_id
  returning event_json(events) as event
)
select noted.id, (select jsonb_agg(logged.event) from logged) as events from noted
