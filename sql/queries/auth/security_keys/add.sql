-- add: stores a security key of a user who has one-time codes. Run under lock_user.
-- $1 user bigint
-- $2 external_id text
-- $3 public_key bytea
-- $4 sign_count bigint
-- $5 nickname text
-- $6 transports text[]
-- $7 limit integer
-- rows: none when the key or its name is taken, there are too many, or the user has no codes
-- plan: no sequential scan
with added as (
  insert into security_keys (user_id, external_id, public_key, sign_count, nickname, transports)
  select u.id, $2, $3, $4, $5, $6
  from users u
  where u.id = $1 and u.otp_enabled_at is not null
    and (select count(*) from security_keys k where k.user_id = $1) < $7::integer
  on conflict do nothing
  returning security_keys.id, security_keys.user_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', u.account_id, '{"change": "second_factor"}'::jsonb
  from added
  join users u on u.id = added.user_id
  returning event_json(events) as event
)
select added.id, (select jsonb_agg(logged.event) from logged) as events from added
