-- set_grant_token: records the token that was issued for a code.
-- $1 grant bigint
-- $2 token bigint
-- rows: none
-- plan: no sequential scan
update oauth_grants set token_id = $2 where oauth_grants.id = $1
