-- remove: removes an application that a user developed, with all its tokens.
-- $1 owner bigint
-- $2 application bigint
-- rows: none when there is no such one
-- plan: no sequential scan
with removed as (
  delete from applications a where a.id = $2 and a.owner_id = $1 returning a.id
), logged as (
  insert into events (kind, actor_id, account_id, object_id)
  select 'token.revoked', null::bigint, u.account_id, t.id
  from removed
  join oauth_tokens t on t.application_id = removed.id and t.revoked_at is null
  left join users u on u.id = t.user_id
  union all
  select 'application.changed', u.account_id, null, removed.id from removed join users u on u.id = $1
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
