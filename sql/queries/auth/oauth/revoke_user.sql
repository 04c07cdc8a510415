-- revoke_user: revokes all sign-ins of a user after a password reset: tokens, codes, browser
-- sessions, push subscriptions.
-- $1 user bigint
-- rows: one
-- plan: no sequential scan
with revoked as (
  update oauth_tokens set revoked_at = now()
  where oauth_tokens.user_id = $1 and oauth_tokens.revoked_at is null
), removed as (
  update oauth_grants set revoked_at = now()
  where oauth_grants.user_id = $1 and oauth_grants.revoked_at is null
), ended as (
  delete from sessions where sessions.user_id = $1
), unsubscribed as (
  delete from push_subscriptions where push_subscriptions.user_id = $1
), logged as (
  insert into events (kind, account_id)
  select 'token.revoked', u.account_id from users u where u.id = $1
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
