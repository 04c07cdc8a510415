-- reusable_token: the newest live token of an application, its own or a user's, with exactly these
-- scopes, that can be derived again from its seed.
-- $1 application bigint
-- $2 user bigint
-- $3 scopes text[]
-- rows: none or one
-- plan: no sequential scan, at most 40 buffers
select found.id, found.seed, found.token_hash, found.created_at
from (
  select t.id, t.seed, t.token_hash, t.created_at
  from oauth_tokens t
  where t.user_id = $2 and t.application_id = $1
    and t.revoked_at is null and t.seed is not null and t.scopes @> $3 and t.scopes <@ $3
  union all
  select t.id, t.seed, t.token_hash, t.created_at
  from oauth_tokens t
  where $2::bigint is null and t.user_id is null and t.application_id = $1
    and t.revoked_at is null and t.seed is not null and t.scopes @> $3 and t.scopes <@ $3
) found
order by found.id desc
limit 1
