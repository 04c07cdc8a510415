-- change: changes an application that a user developed.
-- $1 owner bigint
-- $2 application bigint
-- $3 name text
-- $4 website text
-- $5 redirect_uris text[]
-- $6 scopes text[]
-- rows: none when there is no such one
-- plan: no sequential scan
with before as materialized (
  select a.id, a.name, a.website from applications a where a.id = $2 and a.owner_id = $1 for update
), changed as (
  update applications a
  set name = $3::text, website = $4::text, redirect_uris = $5, scopes = $6
  from before
  where a.id = before.id
  returning a.id, (before.name, before.website) is distinct from (a.name, a.website) as shown
), logged as (
  insert into events (kind, actor_id, object_id)
  select 'application.changed', u.account_id, changed.id from changed join users u on u.id = $1 where changed.shown
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed
