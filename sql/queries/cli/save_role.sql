-- save_role: creates a role, or changes the one with this id. Null values stay unchanged, or get
-- their defaults.
-- Logs events for its users and their accounts, since a role decides on their rights and their
-- badges.
-- $1 id bigint
-- $2 name text
-- $3 color text
-- $4 position integer
-- $5 permissions bigint
-- $6 highlighted boolean
-- $7 require_2fa boolean
-- $8 collection_limit integer
-- rows: one
-- plan: the members of a role by index
with created as (
  insert into roles (name, color, position, permissions, highlighted, require_2fa, collection_limit)
  select $2::text, coalesce($3::text, ''), coalesce($4::integer, 0), coalesce($5::bigint, 0), coalesce($6::boolean, false),
    coalesce($7::boolean, false), coalesce($8::integer, 10)
  where $1::bigint is null
  returning roles.id
), changed as (
  update roles r
  set name = coalesce($2, r.name), color = coalesce($3, r.color), position = coalesce($4, r.position),
    permissions = coalesce($5, r.permissions), highlighted = coalesce($6, r.highlighted),
    require_2fa = coalesce($7, r.require_2fa), collection_limit = coalesce($8, r.collection_limit), updated_at = now()
  where r.id = $1
  returning r.id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'role.changed', null::bigint, saved.id, '{}'::jsonb from (select * from created union all select * from changed) saved
  union all
  select 'account.changed', u.account_id, null, '{"change": "role"}' from users u join changed on changed.id = u.role_id
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
