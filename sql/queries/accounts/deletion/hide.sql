-- hide: hides an account that is to be deleted from everybody, and signs its user out everywhere.
-- $1 account bigint
-- rows: none when there is no such account, else one
-- plan: no sequential scan
with hidden as (
  update accounts a set deletion_requested_at = coalesce(a.deletion_requested_at, now()), updated_at = now()
  where a.id = $1
  returning a.id
), signed_out as (
  delete from sessions s using users u where u.account_id = $1 and s.user_id = u.id
), logged as (
  insert into events (kind, account_id, data)
  select one.kind, hidden.id, one.data
  from hidden cross join (
    values
      ('token.revoked', '{}'::jsonb), ('user.changed', '{"change": "deletion"}'), ('account.changed', '{"change": "deletion"}')
  ) one (kind, data)
  returning event_json(events) as event
)
select hidden.id, (select jsonb_agg(logged.event) from logged) as events from hidden
