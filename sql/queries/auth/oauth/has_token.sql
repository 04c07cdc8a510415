-- has_token: whether an application holds a live token of a user with exactly these scopes.
-- $1 application bigint
-- $2 user bigint
-- $3 scopes text[]
-- rows: one
-- plan: no sequential scan, at most 40 buffers
select exists (
  select from oauth_tokens t
  where t.user_id = $2 and t.application_id = $1 and t.revoked_at is null and t.scopes @> $3 and t.scopes <@ $3
) as held
