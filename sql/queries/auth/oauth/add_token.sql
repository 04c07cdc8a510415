-- add_token: a new token.
-- $1 token_hash bytea
-- $2 seed bytea
-- $3 application bigint
-- $4 user bigint
-- $5 scopes text[]
-- rows: one
-- plan: rows are inserted, none are read
insert into oauth_tokens (token_hash, seed, application_id, user_id, scopes)
values ($1, $2, $3, $4, $5)
returning oauth_tokens.id, oauth_tokens.created_at
