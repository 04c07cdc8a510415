-- remove: removes a security key of a user.
-- $1 user bigint
-- $2 key bigint
-- rows: none when there is no such one
-- plan: no sequential scan
with removed as (
  delete from security_keys k where k.id = $2 and k.user_id = $1 returning k.id, k.user_id, k.nickname
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', u.account_id, '{"change": "second_factor"}'::jsonb
  from removed
  join users u on u.id = removed.user_id
  returning event_json(events) as event
)
select removed.id, removed.nickname, (select jsonb_agg(logged.event) from logged) as events from removed
