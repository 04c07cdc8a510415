-- revoke_token: revokes a token and its push subscription. Has no effect on a revoked token.
-- $1 token bigint
-- rows: one
-- plan: one row by key
with revoked as (
  update oauth_tokens set revoked_at = now()
  where oauth_tokens.id = $1 and oauth_tokens.revoked_at is null
  returning oauth_tokens.id, oauth_tokens.user_id
), unsubscribed as (
  delete from push_subscriptions using revoked where push_subscriptions.token_id = revoked.id
), logged as (
  insert into events (kind, account_id, object_id)
  select 'token.revoked', u.account_id, revoked.id
  from revoked left join users u on u.id = revoked.user_id
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
