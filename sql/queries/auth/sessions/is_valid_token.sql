-- is_valid_token: whether a token has not been revoked.
-- $1 token bigint
-- rows: one when it has not, else none
-- plan: no sequential scan, at most 8 buffers
select t.id from oauth_tokens t where t.id = $1 and t.revoked_at is null
