-- sign_up: creates an account and its unconfirmed user, and counts a use of the invite.
-- $1 username text
-- $2 email text
-- $3 password_hash text
-- $4 approved boolean
-- $5 locale text
-- $6 time_zone text
-- $7 reason text
-- $8 invite bigint
-- $9 application bigint
-- $10 ip inet
-- $11 age_verified boolean
-- rows: one; none when the invite was used up or deactivated meanwhile
-- plan: no sequential scan
with invited as (
  update invites i set uses = i.uses + 1
  where i.id = $8::bigint and (i.max_uses is null or i.uses < i.max_uses) and (i.expires_at is null or i.expires_at > now())
  returning i.id
), account as (
  insert into accounts (username)
  select $1 where $8 is null or exists (select from invited)
  returning accounts.id
), counted as (
  insert into account_stats (account_id) select account.id from account
), created as (
  insert into users (
    account_id, email, password_hash, approved, locale, time_zone, sign_up_reason, invite_id, created_by_application_id, sign_up_ip,
    age_verified_at, confirmation_sent_at
  )
  select account.id, $2, $3, $4, $5::text, $6::text, $7::text, $8, $9::bigint, $10::inet,
    case when $11::boolean then now() end, now()
  from account
  returning users.id, users.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', created.account_id, '{"change": "created"}'::jsonb from created
  returning event_json(events) as event
)
select created.id as user_id, created.account_id, (select jsonb_agg(logged.event) from logged) as events from created
