-- find_token: the token with this hash, and its user with all data that decide on its rights.
-- Revoked tokens are found too, because the API distinguishes them from unknown ones.
-- $1 token_hash bytea
-- rows: none or one; unused_ms: the time since its last recorded use, null when it has none;
--   account_id and the columns after it: null for a token without a user
-- plan: no sequential scan, at most 28 buffers
select
  t.id,
  t.application_id,
  t.scopes,
  t.revoked_at is not null as revoked,
  t.created_at,
  t.user_id,
  (extract(epoch from now() - t.last_used_at) * 1000)::float8 as unused_ms,
  u.account_id,
  u.username,
  u.state,
  u.suspended,
  u.missing_factor,
  u.silenced,
  u.locked,
  u.locale,
  u.time_zone,
  u.chosen_languages,
  u.permissions,
  u.role_position,
  u.preferences
from oauth_tokens t
left join lateral viewer_of(t.user_id) u on true
where t.token_hash = $1
