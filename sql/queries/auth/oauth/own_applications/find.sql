-- find: an application that a user developed.
-- $1 owner bigint
-- $2 application bigint
-- rows: none or one; has_token: whether the user has a token of it
-- plan: no sequential scan
select
  a.id, a.name, a.website, a.redirect_uris, a.scopes, a.client_id,
  exists (
    select from oauth_tokens t where t.user_id = $1 and t.application_id = a.id and t.revoked_at is null
  ) as has_token
from applications a
where a.id = $2 and a.owner_id = $1
