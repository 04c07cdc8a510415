-- find_grant: an authorization code with the details of its request. Used and expired codes are
-- found too, marked as dead.
-- $1 code_hash bytea
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select g.id, g.application_id, g.user_id, g.redirect_uri, g.scopes, g.code_challenge,
  g.revoked_at is null and g.expires_at > now() as live, g.token_id is not null as used
from oauth_grants g
where g.code_hash = $1
