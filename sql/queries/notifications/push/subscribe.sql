-- subscribe: stores the push subscription of a token, replacing an earlier one. The id stays, so
-- that pending messages arrive. Beyond a maximum for the user, the subscriptions of the tokens that
-- were used least recently go.
-- $1 token bigint
-- $2 user bigint
-- $3 endpoint text
-- $4 key_p256dh text
-- $5 key_auth text
-- $6 standard boolean
-- $7 alerts jsonb
-- $8 policy text
-- $9 sealed_token bytea
-- $10 maximum integer
-- rows: none when the token was revoked meanwhile, else one
-- plan: no sequential scan
with stored as (
  insert into push_subscriptions
    (token_id, user_id, endpoint, key_p256dh, key_auth, standard, alerts, policy, sealed_token)
  select k.id, k.user_id, $3, $4, $5, $6, $7, $8, $9
  from oauth_tokens k
  where k.id = $1 and k.user_id = $2 and k.revoked_at is null
  for share
  on conflict (token_id) do update set
    endpoint = excluded.endpoint, key_p256dh = excluded.key_p256dh, key_auth = excluded.key_auth, standard = excluded.standard,
    alerts = excluded.alerts, policy = excluded.policy, sealed_token = excluded.sealed_token, updated_at = now()
  returning id, endpoint, standard, alerts, policy
), removed as (
  delete from push_subscriptions p
  where exists (select from stored) and p.id in (
    select o.id
    from push_subscriptions o
    join oauth_tokens k on k.id = o.token_id
    where o.user_id = $2 and o.token_id <> $1
    order by greatest(k.last_used_at, o.updated_at) desc, o.id desc
    offset $10::integer - 1
  )
)
select s.id, s.endpoint, s.standard, s.alerts, s.policy from stored s
