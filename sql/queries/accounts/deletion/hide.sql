-- hide: hides an account that is to be deleted from everybody, and signs its user out everywhere.
-- $1 account bigint
-- $2 only_unrelated boolean: of another server's account, if nothing stored refers to it
-- rows: none when there is no such account, else one
-- plan: no sequential scan
with hidden as (
  update accounts a set deletion_requested_at = coalesce(a.deletion_requested_at, now()), updated_at = now()
  where a.id = $1 and (not $2 or exists (select from unrelated_among(array[$1]) u (id)))
  returning a.id
), signed_out as (
  delete from sessions s using hidden join users u on u.account_id = hidden.id where s.user_id = u.id
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
