-- add_grant: stores an authorization code, which is valid for ten minutes.
-- $1 code_hash bytea
-- $2 application bigint
-- $3 user bigint
-- $4 redirect_uri text
-- $5 scopes text[]
-- $6 code_challenge text
-- rows: none
-- plan: rows are inserted, none are read
insert into oauth_grants (code_hash, application_id, user_id, redirect_uri, scopes, code_challenge, expires_at)
values ($1, $2, $3, $4, $5, $6, now() + interval '600 seconds')
