-- find_token: the token with this hash. Revoked tokens are found too, because the API distinguishes
-- them from unknown ones.
-- $1 token_hash bytea
-- rows: none or one; unused_ms: the time since its last recorded use, null when it has none
-- plan: no sequential scan, at most 12 buffers
select
  t.id,
  t.application_id,
  t.scopes,
  t.revoked_at is not null as revoked,
  t.created_at,
  t.user_id,
  u.account_id,
  (extract(epoch from now() - t.last_used_at) * 1000)::float8 as unused_ms
from oauth_tokens t
left join users u on u.id = t.user_id
where t.token_hash = $1
