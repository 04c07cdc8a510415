-- revoke_application: revokes all access of an application to a user: tokens, codes, push
-- subscriptions.
-- $1 user bigint
-- $2 application bigint
-- rows: one
-- plan: no sequential scan
with revoked as (
  update oauth_tokens set revoked_at = now()
  where oauth_tokens.user_id = $1 and oauth_tokens.application_id = $2 and oauth_tokens.revoked_at is null
  returning oauth_tokens.id
), removed as (
  update oauth_grants set revoked_at = now()
  where oauth_grants.user_id = $1 and oauth_grants.application_id = $2 and oauth_grants.revoked_at is null
), unsubscribed as (
  delete from push_subscriptions using revoked where push_subscriptions.token_id = revoked.id
), logged as (
  insert into events (kind, account_id, object_id)
  select 'token.revoked', u.account_id, revoked.id
  from revoked join users u on u.id = $1
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
